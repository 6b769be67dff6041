import type { Records } from '#sandbox/records.ts';

/** Something that a simulated shop sells, in words that both marketplaces can dress as theirs. */
export interface Good {
  readonly number: number;
  readonly title: string;
  readonly description: string;
  readonly category: string;
  readonly tags: readonly string[];
  readonly shop: number;
  /** Cents of a dollar, before shipping. */
  readonly cents: number;
  readonly shippingCents: number;
  readonly stock: number;
  readonly rating: number;
  readonly reviews: number;
  readonly sold: number;
}

/** The kind of thing in English and Indonesian, its category, and what one costs about, in cents. */
const KINDS: readonly (readonly [en: string, id: string, category: string, cents: number])[] = [
  ['leather wallet', 'dompet kulit', 'bags', 2900],
  ['tote bag', 'tas jinjing', 'bags', 2400],
  ['backpack', 'tas ransel', 'bags', 4900],
  ['batik scarf', 'syal batik', 'clothing', 1900],
  ['batik shirt', 'kemeja batik', 'clothing', 3200],
  ['linen dress', 'gaun linen', 'clothing', 5400],
  ['running shoes', 'sepatu lari', 'shoes', 6500],
  ['leather sandals', 'sandal kulit', 'shoes', 3600],
  ['silver ring', 'cincin perak', 'jewelry', 2700],
  ['pearl earrings', 'anting mutiara', 'jewelry', 3300],
  ['beaded necklace', 'kalung manik', 'jewelry', 1700],
  ['ceramic mug', 'mug keramik', 'kitchen', 1500],
  ['wooden spoon set', 'set sendok kayu', 'kitchen', 1200],
  ['coffee beans', 'biji kopi', 'food', 1400],
  ['herbal tea', 'teh herbal', 'food', 900],
  ['palm sugar', 'gula aren', 'food', 600],
  ['rattan basket', 'keranjang rotan', 'home', 2600],
  ['table lamp', 'lampu meja', 'home', 4200],
  ['wall clock', 'jam dinding', 'home', 3100],
  ['woven rug', 'karpet anyaman', 'home', 7800],
  ['soy candle', 'lilin kedelai', 'home', 1300],
  ['wireless headphones', 'headphone nirkabel', 'electronics', 5900],
  ['phone case', 'casing ponsel', 'electronics', 1100],
  ['wooden toy car', 'mobil mainan kayu', 'toys', 1600],
  ['shadow puppet', 'wayang kulit', 'toys', 4400],
  ['acoustic guitar', 'gitar akustik', 'music', 12900],
  ['bamboo flute', 'seruling bambu', 'music', 1800],
  ['sketch book', 'buku sketsa', 'stationery', 1000],
  ['fountain pen', 'pena celup', 'stationery', 2200],
  ['yoga mat', 'matras yoga', 'sports', 2800],
];

const STYLES: readonly (readonly [en: string, id: string])[] = [
  ['handmade', 'buatan tangan'],
  ['vintage', 'gaya klasik'],
  ['minimalist', 'minimalis'],
  ['personalized', 'ukir nama'],
  ['natural', 'alami'],
  ['large', 'ukuran besar'],
  ['blue', 'warna biru'],
  ['black', 'warna hitam'],
  ['red', 'warna merah'],
  ['gift', 'untuk hadiah'],
  ['premium', 'premium'],
  ['everyday', 'sehari-hari'],
];

const CATEGORIES: Readonly<Record<string, string>> = {
  bags: 'tas',
  clothing: 'pakaian',
  shoes: 'sepatu',
  jewelry: 'perhiasan',
  kitchen: 'dapur',
  food: 'makanan',
  home: 'rumah',
  electronics: 'elektronik',
  toys: 'mainan',
  music: 'musik',
  stationery: 'alat tulis',
  sports: 'olahraga',
};

/** The same on every machine: a number that only looks drawn at random. */
const scatter = (n: number, salt: number): number =>
  ((n + 1) * 2_654_435_761 + salt * 40_503) % 997;

const SHOPS = 40;

/** 360 of them, always the same. */
function goodsIn(language: 'en' | 'id'): Good[] {
  return KINDS.flatMap(([en, id, category, cents], k) =>
    STYLES.map(([styleEn, styleId], s): Good => {
      const number = k * STYLES.length + s;
      const isEn = language === 'en';
      const title = isEn ? capital(`${styleEn} ${en}`) : capital(`${id} ${styleId}`);
      const kept = isEn ? category : (CATEGORIES[category] ?? category);
      const drawn = (salt: number) => scatter(number, salt + (isEn ? 0 : 7));
      return {
        number,
        title,
        description: isEn
          ? `${title} from a small workshop. Ships within ${1 + (drawn(1) % 5)} days.`
          : `${title} dari pengrajin lokal. Dikirim dalam ${1 + (drawn(1) % 5)} hari.`,
        category: kept,
        tags: [...new Set([kept, ...(isEn ? en : id).split(' '), isEn ? styleEn : styleId])],
        shop: drawn(2) % SHOPS,
        cents: Math.round(cents * (0.8 + (drawn(3) % 60) / 100)),
        shippingCents: drawn(4) % 4 === 0 ? 0 : 200 + (drawn(4) % 12) * 50,
        stock: drawn(5) % 17 === 0 ? 0 : 1 + (drawn(5) % 80),
        rating: 3.5 + (drawn(6) % 16) / 10,
        reviews: drawn(8) % 900,
        sold: (drawn(9) % 300) * 7,
      };
    }),
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a control has changed of a good. */
export interface Changed {
  /** In the marketplace's own units: cents, or whole rupiah. */
  readonly price?: number;
  readonly stock?: number;
  readonly title?: string;
  readonly description?: string;
}

const KEPT = 'product';

/** All goods of a marketplace, as they are now. */
export async function changesOf(
  records: Records,
  provider: string,
): Promise<ReadonlyMap<string, Changed>> {
  const changed = await records.list<Changed & { id: string }>(provider, KEPT, { limit: 1000 });
  return new Map(changed.map((one) => [one.id, one]));
}

/** Changes one, from now on. */
export async function changeGood(
  records: Records,
  provider: string,
  id: string,
  change: Changed,
): Promise<void> {
  if (await records.insert(provider, KEPT, id, { id, ...change })) return;
  await records.update<object>(provider, KEPT, id, (before) => ({ ...before, ...change }));
}

export const ENGLISH: readonly Good[] = goodsIn('en');
export const INDONESIAN: readonly Good[] = goodsIn('id');

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * Those that have every word somewhere, as real marketplaces search: spelt as it is, plurals aside. Most
 * words in the title first, then what sells most.
 */
export function searchGoods<G extends Pick<Good, 'title' | 'description' | 'tags' | 'sold'>>(
  goods: readonly G[],
  query: string,
): G[] {
  const asked = wordsOf(query).map(singular);
  return goods
    .flatMap((good) => {
      const title = wordsOf(good.title).map(singular);
      const all = new Set(
        [...title, ...wordsOf(`${good.tags.join(' ')} ${good.description}`)].map(singular),
      );
      if (!asked.every((word) => all.has(word))) return [];
      return [{ good, hits: asked.filter((word) => title.includes(word)).length }];
    })
    .sort((a, b) => b.hits - a.hits || b.good.sold - a.good.sold)
    .map(({ good }) => good);
}

const singular = (word: string): string =>
  word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
