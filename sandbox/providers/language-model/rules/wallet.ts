import { CHAIN_KEYS, CHAINS, isChainKey, sendableAssets } from '#chains/evm/port.ts';
import { type Prose, proseOf } from '#kernel/money/prose.ts';
import type { ModelQuestion } from './asked.ts';
import { languageOf } from './language.ts';

/** In this order: the first that fits is meant. */
const INTENTS: readonly (readonly [string, RegExp])[] = [
  ['cancel', /^(cancel|stop|abort|never ?mind|forget it|batal|batalkan|tidak jadi|gak jadi)\b/],
  ['cancel', /\b(don'?t|do not|jangan) (send|transfer|move|kirim|pindah)/],
  [
    'import_token',
    /\b(import|impor|add|tambah(kan)?)\b.*\b(token|kontrak|contract|koin)\b|^import\b/,
  ],
  [
    'add_address',
    /\b(add|create|new|generate|make|tambah(kan)?|buat(kan)?|bikin)\b.*\b(address|alamat)/,
  ],
  [
    'create_wallet',
    /\b(create|make|open|new|set ?up|buat(kan)?|bikin|buka(kan)?|baru)\b.*\b(wallet|dompet)/,
  ],
  ['crosschain_transfer', /\b(bridge|cross-?chain|lintas|jembatan(i|kan)?|seberang(kan)?)\b/],
  ['crosschain_transfer', /\b(from|dari) (the )?CHAIN\b.*\b(to|ke) (the )?CHAIN\b/],
  ['send', /\b(send|transfer|pay|move|kirim(kan|in)?|bayar(kan)?|pindah(kan)?)\b(?! history)/],
  ['history', /\b(history|transactions|activity|riwayat|histori|transaksi|mutasi)\b/],
  ['balance', /\b(balances?|saldo(ku)?|how much|berapa|holdings|portfolio|isi dompet)\b/],
  ['balance', /\b(show|list|see|lihat|tampilkan|cek|check)\b.*\b(wallets?|dompet)/],
  ['help', /\b(help|what can you do|how (do|can) i|bantu(an)?|apa yang bisa|bagaimana|gimana)\b/],
  ['help', /^(hi|hello|hey|halo|hai|selamat \w+)\b/],
];

/** By every name it goes by: what the API calls it, and what people do. */
const names = (): readonly (readonly [string, string])[] =>
  CHAIN_KEYS.flatMap((key) => {
    const { name, network } = CHAINS[key];
    return [key, name, network].map((word) => [word.toLowerCase(), key] as const);
  }).toSorted(([a], [b]) => b.length - a.length);

/** What somebody wants of their wallets, and with which parameters as far as they said. */
export function walletIntent(asked: ModelQuestion): Readonly<Record<string, unknown>> {
  const { said, earlier, system } = asked;
  const language = languageOf([said, ...earlier.slice(0, 3)].join(' '));
  const found = readParameters(said);
  const masked = found.masked;
  const intent = INTENTS.find(([, rule]) => rule.test(masked))?.[0] ?? 'unknown';
  const [, wanted] = /^Open question: (\w+)/m.exec(system) ?? [];
  const answer = intent === 'unknown' && wanted ? toQuestion(wanted, said, found) : {};
  return { intent, language, ...found.parameters, ...placed(intent, found), ...answer };
}

interface Found {
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The text in lower case, with every name of a chain as CHAIN, so that rules can tell them. */
  readonly masked: string;
  /** The chains in the order they were named, each with the word in front of it. */
  readonly chains: readonly { readonly key: string; readonly before: string }[];
  readonly address: string | undefined;
}

const ADDRESS = /\b0x[0-9a-z]+\b/i;
const QUOTED = /["“'‘]([^"”'’]{1,100})["”'’]/;
const NAMED =
  /\b(?:named|called|bernama|dengan nama|diberi nama|name[:=]?|nama)\s+(.{1,100}?)(?=\s+(?:on|at|for|di|pada|untuk|in)\b|[.,!?]?$)/i;

function readParameters(said: string): Found {
  const address = ADDRESS.exec(said)?.[0];
  const name = (QUOTED.exec(said) ?? NAMED.exec(said))?.[1]?.trim();
  const plain = said.replace(ADDRESS, ' ').replace(QUOTED, ' ').trim();
  const prose = proseOf(said.replace(QUOTED, ' '), sendableAssets());
  const coin = coinOf(prose);
  const { masked, chains } = mask(plain.toLowerCase(), coin);
  const amount = amountOf(prose);
  return {
    parameters: {
      ...(name && { wallet_name: name }),
      ...(amount && { amount }),
      ...(coin && { token_symbol: coin }),
    },
    masked,
    chains,
    address,
  };
}

/** A number that can be read in one way only, where there is no other one. */
function amountOf({ amounts }: Prose): string | undefined {
  const [amount, ...others] = amounts;
  const [reading, ...more] = amount?.readings ?? [];
  return others.length + more.length === 0 ? reading : undefined;
}

/** The one coin of the text. A coin's name may be a chain's: it is the coin where a number stands beside it. */
function coinOf({ coins }: Prose): string | undefined {
  const named = coins.filter(
    ({ symbol, isCounted }) => isCounted || !isChainKey(symbol.toLowerCase()),
  );
  const [symbol, ...others] = new Set(named.map((coin) => coin.symbol));
  return others.length === 0 ? symbol : undefined;
}

function mask(said: string, coin: string | undefined): Pick<Found, 'masked' | 'chains'> {
  const text = coin ? said.replace(new RegExp(`(\\d)\\s*${coin}\\b`, 'i'), '$1 coin') : said;
  const words = names()
    .map(([word]) => word)
    .join('|');
  const chains: { key: string; before: string }[] = [];
  const masked = text.replaceAll(
    new RegExp(`(?:\\b(\\p{L}+)\\s+)?\\b(${words})\\b`, 'gu'),
    (_, before: string = '', word: string) => {
      const key = names().find(([name]) => name === word)?.[1] ?? '';
      chains.push({ key, before });
      return `${before} CHAIN`.trim();
    },
  );
  return { masked, chains };
}

/** Which parameter a chain or an address is, by what is wanted. */
function placed(intent: string, { chains, address }: Found): Record<string, unknown> {
  const after = (...words: string[]) => chains.find(({ before }) => words.includes(before))?.key;
  if (intent === 'crosschain_transfer') {
    const from_chain =
      after('from', 'dari') ?? chains.find(({ before }) => before !== 'to' && before !== 'ke')?.key;
    const to_chain = after('to', 'ke', 'onto') ?? chains.find(({ key }) => key !== from_chain)?.key;
    return { from_chain, to_chain, recipient_address: address };
  }
  const chain_id = chains[0]?.key;
  if (intent === 'import_token') return { chain_id, token_address: address };
  return { chain_id, to_address: address };
}

const symbolOf = (text: string): string | undefined =>
  sendableAssets().find((symbol) => symbol === text.toUpperCase());

/** Somebody who was asked for something may answer with that alone. */
function toQuestion(wanted: string, said: string, found: Found): Record<string, unknown> {
  const chain = found.chains[0]?.key;
  const text = said.trim().replace(/^["“'‘]|["”'’.]$/g, '');
  const answers: Readonly<Record<string, unknown>> = {
    wallet_name: found.parameters['wallet_name'] ?? text.slice(0, 100),
    chain_id: chain,
    from_chain: chain,
    to_chain: chain,
    to_address: found.address,
    recipient_address: found.address,
    token_address: found.address,
    amount: found.parameters['amount'],
    token_symbol: found.parameters['token_symbol'] ?? symbolOf(text),
  };
  return { chain_id: undefined, to_address: undefined, [wanted]: answers[wanted] };
}
