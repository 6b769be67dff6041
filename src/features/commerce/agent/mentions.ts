import { CHAIN_KEYS, CHAINS, type ChainKey, isChainKey, sendableAssets } from '#chains/evm/port.ts';
import { unmistakable } from '#kernel/money/amount-text.ts';
import { type Prose, type ProseWord, proseOf } from '#kernel/money/prose.ts';

/** How one message mentions one thing: not at all, with one value, or with several readings. */
export type Mention =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly value: string }
  | { readonly kind: 'unclear'; readonly options: readonly string[] };

/** What one message mentions of money. Our code reads it, and no model. */
export interface Mentions {
  readonly amount: Mention;
  readonly token_symbol: Mention;
  readonly chain_id: Mention;
  readonly from_chain: Mention;
  readonly to_chain: Mention;
  /** As the user has spelled it. */
  readonly address: Mention;
}

const NONE: Mention = { kind: 'none' };
const UNCLEAR: Mention = { kind: 'unclear', options: [] };

/** The single one of them; unclear where there are several. */
function only(values: readonly string[]): Mention {
  const [value, ...others] = new Set(values);
  if (value === undefined) return NONE;
  return others.length === 0 ? { kind: 'one', value } : UNCLEAR;
}

/** A lone coin or chain answers `asked`, the parameter of the agent's last question. */
export function mentionsIn(message: string, asked?: string): Mentions {
  const prose = proseOf(message, sendableAssets());
  const chains = chainsIn(prose, asked);
  return {
    amount: amountIn(prose),
    token_symbol: only(
      prose.coins
        .filter(({ symbol, isCounted }) => isCounted || !isChainName(symbol, asked))
        .map(({ symbol }) => symbol),
    ),
    chain_id: only(chains.map(({ key }) => key)),
    ...routeOf(chains, asked),
    address: addressIn(prose.words),
  };
}

/** NEON is a chain, unless a number stands beside it or the agent has asked for a coin. */
const isChainName = (symbol: string, asked: string | undefined): boolean =>
  asked !== 'token_symbol' && isChainKey(symbol.toLowerCase());

function amountIn({ amounts }: Prose): Mention {
  const [amount, ...others] = amounts;
  if (amount === undefined) return NONE;
  if (others.length > 0) return UNCLEAR;
  const [value, ...readings] = amount.readings;
  if (value === undefined) return UNCLEAR;
  if (readings.length === 0) return { kind: 'one', value };
  return { kind: 'unclear', options: amount.readings.map(unmistakable) };
}

interface ChainMention {
  readonly key: ChainKey;
  readonly role: 'from' | 'to' | undefined;
}

const FROM = ['from', 'dari'];
const TO = ['to', 'ke', 'onto', 'into', 'menuju'];
const FILLERS = ['the', 'chain', 'network', 'jaringan', 'rantai', 'testnet'];

/** Every name of a chain, the longer ones first: Polygon Amoy is one chain. */
const namesOfChains = () =>
  CHAIN_KEYS.flatMap((key) => {
    const { name, network } = CHAINS[key];
    return [key, name, network].map((words) => ({ key, name: words.toLowerCase().split(' ') }));
  }).toSorted((a, b) => b.name.length - a.name.length);

function chainsIn({ words }: Prose, asked: string | undefined): ChainMention[] {
  const names = namesOfChains();
  const found: ChainMention[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const fits = (name: readonly string[]) =>
      name.every((part, i) => words[at + i]?.text.toLowerCase() === part);
    const named = names.find(({ name }) => fits(name));
    if (named === undefined || isCoinAt(words, at, asked)) continue;
    found.push({ key: named.key, role: roleAt(words, at) });
    at += named.name.length - 1;
  }
  return found;
}

function isCoinAt(words: readonly ProseWord[], at: number, asked: string | undefined): boolean {
  if (words[at]?.kind !== 'coin') return false;
  if (asked === 'token_symbol') return true;
  return [words[at - 1], words[at + 1]].some((beside) => beside?.kind === 'number');
}

function roleAt(words: readonly ProseWord[], at: number): ChainMention['role'] {
  const before = words
    .slice(Math.max(0, at - 3), at)
    .map(({ text }) => text.toLowerCase())
    .findLast((text) => !FILLERS.includes(text));
  if (before === undefined) return undefined;
  if (FROM.includes(before)) return 'from';
  return TO.includes(before) ? 'to' : undefined;
}

/** Origin and destination, by the words in front; one chain without such a word is the remaining one, or answers `asked`. */
function routeOf(
  chains: readonly ChainMention[],
  asked: string | undefined,
): Pick<Mentions, 'from_chain' | 'to_chain'> {
  const of = (role: ChainMention['role']) =>
    chains.filter((chain) => chain.role === role).map(({ key }) => key);
  const [from, to, loose] = [of('from'), of('to'), [...new Set(of(undefined))]];
  const isLone = chains.length > 0 && from.length + to.length === 0;
  if (isLone && asked === 'from_chain') return { from_chain: only(loose), to_chain: NONE };
  if (isLone && asked === 'to_chain') return { from_chain: NONE, to_chain: only(loose) };
  if (loose.length === 0) return { from_chain: only(from), to_chain: only(to) };
  if (loose.length === 1 && from.length === 0 && to.length > 0)
    return { from_chain: only(loose), to_chain: only(to) };
  if (loose.length === 1 && to.length === 0 && from.length > 0)
    return { from_chain: only(from), to_chain: only(loose) };
  return { from_chain: UNCLEAR, to_chain: UNCLEAR };
}

const LEADING = new Set(
  `to ke for untuk kepada address alamat alamatnya recipient penerima receiver is adalah pay bayar bayarkan
   send kirim kirimkan transfer token contract kontrak import impor add tambah tambahkan it use pakai`.split(
    /\s+/,
  ),
);
/** A message that warns of an address does not choose it. */
const WARNINGS = new Set(
  `scam scammer scammers fraud fake hacked hacker stolen phishing not don't dont never avoid wrong penipu
   penipuan palsu jangan bukan salah curian dibajak`.split(/\s+/),
);

/** The address of a recipient or a token; an address behind “from” is a sender's. */
function addressIn(words: readonly ProseWord[]): Mention {
  const named = words.flatMap((word, at) => {
    if (word.kind !== 'address') return [];
    const before = words[at - 1];
    const lead = before?.text.toLowerCase() ?? '';
    if (FROM.includes(lead)) return [];
    const leads =
      before === undefined ||
      before.isLast ||
      LEADING.has(lead) ||
      before.kind === 'coin' ||
      before.kind === 'number';
    return [{ text: word.text, leads }];
  });
  const isWarned = words.some(({ text }) => WARNINGS.has(text.toLowerCase()));
  if (named.length > 0 && (isWarned || named.some(({ leads }) => !leads))) return UNCLEAR;
  return only(named.map(({ text }) => text));
}
