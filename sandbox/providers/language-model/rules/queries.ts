import type { ModelQuestion } from './asked.ts';

/** What things are called: English first, then Indonesian; within each, words that mean the same. */
const THINGS = `
bag,handbag,purse,tote|tas|
backpack,rucksack|ransel,tas punggung
shoes,sneakers|sepatu
sandals|sandal
shirt|kemeja
t-shirt,tshirt,tee|kaos
clothes,clothing|baju,pakaian
batik|batik
wallet|dompet
watch|jam tangan,arloji
ring|cincin
necklace|kalung
earrings|anting
bracelet|gelang
jewelry,jewellery|perhiasan
hat,cap|topi
mug,cup|cangkir,gelas
plate|piring
bowl|mangkuk
lamp,light|lampu
chair|kursi
table|meja
candle|lilin
soap|sabun
coffee|kopi
tea|teh
chocolate|cokelat
honey|madu
book|buku
notebook,journal|buku catatan
phone,smartphone|ponsel,hp
phone case|casing hp
laptop|laptop
headphones,earphones|headset
camera|kamera
blanket|selimut
pillow,cushion|bantal
rug,carpet|karpet
basket|keranjang
doll|boneka
toy|mainan
painting|lukisan
poster,print|poster
vase|vas
jacket|jaket
sweater|sweter
dress|gaun
skirt|rok
pants,trousers|celana
scarf,shawl|syal,selendang
socks|kaus kaki
gift,present|hadiah,kado
kids,children|anak
women|wanita
men|pria
baby|bayi
leather|kulit
wooden,wood|kayu
handmade,handcrafted|buatan tangan,kerajinan
silver|perak
gold|emas
cotton|katun
silk|sutra
ceramic,pottery|keramik
rattan|rotan
woven|anyaman
bamboo|bambu
red|merah
blue|biru
black|hitam
white|putih
green|hijau
yellow|kuning
brown|cokelat
pink|merah muda
cheap|murah
`
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((words) => words.split(',').filter(Boolean)));

const WORDS = [...new Set(THINGS.flat(2))];
const QUERIES_MAX = 8;

/** The same wish in other words: as it should be spelled, with synonyms, in the other language. */
export function expandQuery({ said, material }: ModelQuestion): Readonly<Record<string, unknown>> {
  const text = (said === '' ? material : said).toLowerCase().replaceAll(/\s+/g, ' ').trim();
  const query = text.slice(0, 200).toWellFormed();
  const spelled = query.replaceAll(/[\p{L}-]{4,}/gu, corrected);
  const queries = [query, spelled, ...translated(spelled), ...alike(spelled)];
  const found = [...new Set(queries)].filter(Boolean).slice(0, QUERIES_MAX);
  return { search_queries: found, queries: found };
}

const mentions = (text: string, word: string): boolean => ` ${text} `.includes(` ${word} `);
const replaced = (text: string, word: string, by: string): string =>
  ` ${text} `.replaceAll(` ${word} `, ` ${by} `).trim();

/** All of it in the other language: each thing by the first word there. */
function translated(text: string): string[] {
  return [0, 1].map((from) =>
    THINGS.reduce((said, thing) => {
      const word = thing[from]?.find((known) => mentions(text, known));
      const [other] = thing[1 - from] ?? [];
      return word && other ? replaced(said, word, other) : said;
    }, text),
  );
}

/** With one thing by another of its names. */
const alike = (text: string): string[] =>
  THINGS.flatMap((thing) =>
    thing.flatMap((words) => {
      const said = words.find((word) => mentions(text, word));
      if (said === undefined) return [];
      return words.filter((word) => word !== said).map((word) => replaced(text, said, word));
    }),
  );

/** The known word that it was meant to be: one slip away, two in a longer one. */
function corrected(word: string): string {
  if (WORDS.includes(word)) return word;
  const most = word.length >= 7 ? 2 : 1;
  const near = WORDS.filter((known) => Math.abs(known.length - word.length) <= most)
    .map((known) => ({ known, slips: slipsBetween(word, known) }))
    .filter(({ slips }) => slips <= most)
    .toSorted((a, b) => a.slips - b.slips);
  return near[0]?.known ?? word;
}

/** Letters that were added, left out, changed, or swapped with the next. */
function slipsBetween(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const cell = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const changed = cell(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? cell(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, changed, swapped));
    }
  }
  return cell(a.length, b.length);
}
