import { CHAINS, isChainKey } from '#chains/evm/port.ts';
import { unmistakable } from '#kernel/money/amount-text.ts';
import type { Confirmation } from './confirmation-store.ts';
import type { AgentIntent, Language, Parameter } from './intent.ts';

/** The agent's sentences. All are ours: a user decides about money by no sentence of a model. */
const pick = (language: Language, en: string, id: string): string => (language === 'en' ? en : id);

const QUESTIONS: Readonly<Record<Parameter | 'wallet', readonly [string, string]>> = {
  wallet: ['From which wallet?', 'Dari dompet mana?'],
  wallet_name: ['Which wallet, or what shall it be called?', 'Dompet yang mana, atau apa namanya?'],
  chain_id: ['On which chain?', 'Di jaringan mana?'],
  from_chain: ['From which chain?', 'Dari jaringan mana?'],
  to_chain: ['To which chain?', 'Ke jaringan mana?'],
  amount: ['How much?', 'Berapa jumlahnya?'],
  token_symbol: ['Which coin or token?', 'Koin atau token apa?'],
  to_address: ['To which address?', 'Ke alamat mana?'],
  recipient_address: ['Which address is to receive it?', 'Alamat mana yang menerima?'],
  token_address: ['What is the token’s contract address?', 'Apa alamat kontrak tokennya?'],
};

export const question = (
  language: Language,
  parameter: Parameter | 'wallet',
  why?: string,
): string =>
  [why, pick(language, ...QUESTIONS[parameter])].filter(Boolean).join('. ').replace('..', '.');

/** Why the agent asks again for a parameter that the user has written; `options` are an amount's readings. */
export function unclear(
  language: Language,
  parameter: Parameter,
  options: readonly string[],
): string {
  if (parameter === 'amount' && options.length > 0)
    return pick(
      language,
      `The amount can be read as ${options.join(' or as ')}`,
      `Jumlahnya bisa dibaca ${options.join(' atau ')}`,
    );
  const [en, id] = UNCLEAR[parameter] ?? PLAINLY;
  return pick(language, en, id);
}

const PLAINLY = ['That cannot be read in one way', 'Itu bisa dibaca lebih dari satu cara'] as const;
const UNCLEAR: Readonly<Partial<Record<Parameter, readonly [string, string]>>> = {
  amount: [
    'One amount is needed, in digits and without any sign, such as 5 or 0.25',
    'Perlu satu jumlah, dengan angka dan tanpa tanda lain, misalnya 5 atau 0,25',
  ],
  to_address: [
    'One address is needed: 0x and 40 hexadecimal digits, and no name',
    'Perlu satu alamat: 0x dan 40 digit heksadesimal, bukan nama',
  ],
  recipient_address: [
    'One address is needed: 0x and 40 hexadecimal digits, and no name',
    'Perlu satu alamat: 0x dan 40 digit heksadesimal, bukan nama',
  ],
};

export const missingWallet = (language: Language, chain?: string): string =>
  chain === undefined
    ? pick(language, 'You need a wallet first.', 'Anda perlu dompet terlebih dahulu.')
    : pick(
        language,
        `Your wallet has no address on ${chain} yet. Add one first.`,
        `Dompet Anda belum punya alamat di ${chain}. Tambahkan dulu.`,
      );

export const firstSteps = (language: Language, chain?: string): string[] =>
  chain === undefined
    ? [pick(language, 'Create a wallet named Main', 'Buat dompet bernama Utama')]
    : [pick(language, `Add an address on ${chain}`, `Tambahkan alamat di ${chain}`)];

export const examples = (language: Language): string[] => [
  pick(language, 'Create a wallet named Savings', 'Buat dompet bernama Tabungan'),
  pick(language, 'Show my balance', 'Cek saldo saya'),
  pick(language, 'Show my transaction history', 'Lihat riwayat transaksi'),
  pick(language, 'Send 1 USDC', 'Kirim 1 USDC'),
  pick(language, 'Bridge 1 USDC to another chain', 'Kirim 1 USDC lintas jaringan'),
];

export const help = (language: Language): string =>
  pick(
    language,
    'I can create wallets, add addresses, show balances and history, import tokens, send coins and USDC, and move USDC between chains. Before anything moves I ask for your yes.',
    'Saya bisa membuat dompet, menambah alamat, menampilkan saldo dan riwayat, mengimpor token, mengirim koin dan USDC, serta memindahkan USDC antarjaringan. Sebelum uang bergerak, saya minta persetujuan Anda.',
  );

export const notUnderstood = (language: Language): string =>
  pick(language, 'What would you like to do?', 'Apa yang ingin Anda lakukan?');

export const cancelled = (language: Language): string =>
  pick(language, 'Cancelled. Nothing was moved.', 'Dibatalkan. Tidak ada yang dipindahkan.');

export const tooLate = (language: Language): string =>
  pick(
    language,
    'It was agreed to and is being done; it cannot be cancelled any more.',
    'Sudah disetujui dan sedang diproses; tidak bisa dibatalkan lagi.',
  );

export const nothingToConfirm = (language: Language): string =>
  pick(
    language,
    'There is nothing to confirm. What would you like to do?',
    'Tidak ada yang perlu dikonfirmasi. Apa yang ingin Anda lakukan?',
  );

export const expired = (language: Language): string =>
  pick(
    language,
    'That was too long ago to be confirmed, and nothing was moved. Tell me again what to do.',
    'Konfirmasinya sudah kedaluwarsa dan tidak ada yang dipindahkan. Silakan ulangi permintaan Anda.',
  );

export const inFlight = (language: Language): string =>
  pick(
    language,
    'It is on its way, and not finished yet. Say yes again, or ask for your history, to see how it stands.',
    'Sedang diproses dan belum selesai. Jawab ya lagi, atau lihat riwayat, untuk mengetahui hasilnya.',
  );

/** With the exact amount and the whole address: the user agrees to this sentence. */
export function confirmation(row: Confirmation, wallet_name?: string): string {
  const { language, parameters: p } = row;
  const amount = unmistakable(String(p['amount']));
  const where = (chain: unknown) => networkOf(String(chain));
  const from = wallet_name ? ` (“${wallet_name}”)` : '';
  const what =
    row.intent === 'send'
      ? pick(
          language,
          `Send ${amount} ${p['token_symbol']} on ${where(p['chain_id'])} from ${p['wallet_address']}${from} to ${p['to_address']}?`,
          `Kirim ${amount} ${p['token_symbol']} di ${where(p['chain_id'])} dari ${p['wallet_address']}${from} ke ${p['to_address']}?`,
        )
      : pick(
          language,
          `Move ${amount} USDC from ${where(p['from_chain'])} to ${where(p['to_chain'])}, for ${p['recipient_address']}?`,
          `Pindahkan ${amount} USDC dari ${where(p['from_chain'])} ke ${where(p['to_chain'])}, untuk ${p['recipient_address']}?`,
        );
  const [yes, no] = wordsFor(row);
  const how = pick(
    language,
    `Fees and gas come on top. Answer “${yes}” to do it, or “${no}” to leave it.`,
    `Biaya dan gas ditambahkan. Jawab “${yes}” untuk melanjutkan, atau “${no}” untuk membatalkan.`,
  );
  return `${what} ${how}`;
}

/** The sufficient yes, and the no. */
export function wordsFor({ language, needs_code, code }: Confirmation): [string, string] {
  const yes = pick(language, 'yes', 'ya');
  return [needs_code ? `${yes} ${code}` : yes, pick(language, 'no', 'tidak')];
}

const networkOf = (chain: string): string => (isChainKey(chain) ? CHAINS[chain].network : chain);

const DONE: Readonly<
  Record<Exclude<AgentIntent, 'help' | 'cancel' | 'unknown'>, readonly [string, string]>
> = {
  create_wallet: [
    'The wallet is created; add an address to use it.',
    'Dompet sudah dibuat; tambahkan alamat untuk memakainya.',
  ],
  add_address: [
    'The address is created. Write its words down: they are shown this once and never again.',
    'Alamat sudah dibuat. Catat kata-katanya: hanya ditampilkan sekali ini.',
  ],
  balance: [
    'Here are your balances. What can be spent of each is “available”.',
    'Berikut saldo Anda. Yang bisa dipakai dari tiap saldo ada di “available”.',
  ],
  history: ['Here are your latest transactions.', 'Berikut transaksi terbaru Anda.'],
  import_token: ['The token is imported.', 'Token sudah diimpor.'],
  send: ['Sent, and confirmed on chain.', 'Terkirim dan terkonfirmasi di blockchain.'],
  crosschain_transfer: [
    'The transfer has arrived on the other chain.',
    'Transfer sudah tiba di jaringan tujuan.',
  ],
};

export const finished = (language: Language, intent: keyof typeof DONE): string =>
  pick(language, ...DONE[intent]);
