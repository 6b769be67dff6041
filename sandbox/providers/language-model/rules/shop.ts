import type { ModelQuestion } from './asked.ts';
import { languageOf, type SimulatedModelLanguage, say } from './language.ts';

const INTENTS: readonly (readonly [string, RegExp])[] = [
  ['HELP', /\b(help|how (do|can|does)|bantu(an)?|bagaimana|gimana|cara)\b/i],
  [
    'BUY',
    /\b(buy|order|purchase|check ?out|pay|i'?ll take|beli(kan)?|pesan(kan)?|bayar|ambil yang)\b/i,
  ],
  [
    'SEARCH',
    /\b(find|search|look(ing)?|show|recommend|suggest|browse|need|want|gift|cari(kan)?|tampilkan|lihat|rekomendasi|butuh|mau|ingin|ada|kado|hadiah)\b/i,
  ],
  ['HELP', /^(hi|hello|hey|halo|hai|selamat \w+)\b/i],
];

const FILLING =
  /\b(i|i'm|im|am|me|my|a|an|the|some|please|can|could|you|for|to|find|search|look|looking|show|recommend|suggest|browse|need|want|buy|order|purchase|would|like|saya|aku|tolong|cari|carikan|tampilkan|lihat|rekomendasi|butuh|mau|ingin|beli|belikan|pesan|pesankan|ada|yang|untuk|dong|ya|dan|and|is|are|there|any|do|have|apa|apakah)\b/gi;

/** What a shopper wants, and a friendly sentence back. */
export function shopChat({ said }: ModelQuestion): Readonly<Record<string, unknown>> {
  const language = languageOf(said);
  const intent = INTENTS.find(([, rule]) => rule.test(said))?.[0] ?? 'INFO';
  const query = said
    .replaceAll(FILLING, ' ')
    .replaceAll(/[^\p{L}\p{N} '-]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 80);
  return { intent, reply: replyTo(intent, language, query), query, language };
}

function replyTo(intent: string, language: SimulatedModelLanguage, query: string): string {
  if (intent === 'SEARCH')
    return query === ''
      ? say(
          language,
          'Tell me what you are looking for and I will search both marketplaces.',
          'Sebutkan apa yang Anda cari, dan saya akan mencarinya di kedua marketplace.',
        )
      : say(
          language,
          `Let me look for “${query}” in our marketplaces.`,
          `Saya carikan “${query}” di marketplace kami.`,
        );
  if (intent === 'BUY')
    return say(
      language,
      'Choose a product, tell us who is to receive it, and pay the order with USDC from your wallet.',
      'Pilih produknya, isi data penerima, lalu bayar pesanannya dengan USDC dari dompet Anda.',
    );
  if (intent === 'HELP')
    return say(
      language,
      'I can search products, tell you about them and place an order that you pay with USDC.',
      'Saya bisa mencari produk, menjelaskannya, dan membuat pesanan yang dibayar dengan USDC.',
    );
  return say(
    language,
    'Prices are shown in USD and USDC, with shipping where the shop tells it. What would you like to know?',
    'Harga ditampilkan dalam USD dan USDC, dengan ongkos kirim bila tokonya menyebutkan. Apa yang ingin Anda ketahui?',
  );
}
