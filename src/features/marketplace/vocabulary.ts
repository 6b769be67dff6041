/** Words that shoppers use, in English and Indonesian: what is meant by a misspelt one, or in the other language. */
const PAIRS = `
acoustic akustik, backpack ransel, bag tas, bamboo bambu, basket keranjang, batik batik, bead manik,
black hitam, blue biru, book buku, camera kamera, candle lilin, car mobil, case casing, ceramic keramik,
chair kursi, clock jam, cloth kain, clothing pakaian, coffee kopi, dress gaun, earrings anting, flute seruling,
food makanan, gift hadiah, glass kaca, glasses kacamata, gold emas, green hijau, guitar gitar, handmade buatan,
hat topi, headphones headphone, herbal herbal, jacket jaket, jewelry perhiasan, kitchen dapur, lamp lampu,
large besar, laptop laptop, leather kulit, mat matras, mug mug, natural alami, necklace kalung, paper kertas,
pearl mutiara, pen pena, phone ponsel, pillow bantal, plate piring, puppet wayang, rattan rotan, red merah,
ring cincin, rug karpet, running lari, sandals sandal, scarf syal, shirt kemeja, shoes sepatu, silver perak,
sketch sketsa, small kecil, soap sabun, spoon sendok, sugar gula, table meja, tea teh, tote jinjing, toy mainan,
vintage klasik, wall dinding, wallet dompet, watch arloji, white putih, wireless nirkabel, wood kayu, wooden kayu,
yellow kuning, yoga yoga`;

const OTHER_LANGUAGE = new Map<string, string>();
for (const pair of PAIRS.split(',')) {
  const [english = '', indonesian = ''] = pair.trim().split(' ');
  if (!OTHER_LANGUAGE.has(indonesian)) OTHER_LANGUAGE.set(indonesian, english);
  OTHER_LANGUAGE.set(english, indonesian);
}
const WORDS = [...OTHER_LANGUAGE.keys()];

/** What a query may also mean: spelt as words are spelt, and in the other language. Few, without the query itself. */
export function ownVariants(query: string): string[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const spelt = words.map((word) => spellingOf(word) ?? word);
  const other = spelt.map((word) => OTHER_LANGUAGE.get(word) ?? word);
  const asked = words.join(' ');
  return [...new Set([spelt.join(' '), other.join(' ')])].filter((variant) => variant !== asked);
}

/** The known word that is meant by one that nobody knows; nothing where it is far from all of them. */
function spellingOf(word: string): string | undefined {
  if (OTHER_LANGUAGE.has(word) || word.length < 4 || word.length > 30) return undefined;
  const most = word.length > 6 ? 2 : 1;
  let best: { readonly known: string; readonly apart: number } | undefined;
  for (const known of WORDS) {
    if (Math.abs(known.length - word.length) > most) continue;
    const apart = distance(word, known);
    if (apart <= most && apart < (best?.apart ?? most + 1)) best = { known, apart };
  }
  return best?.known;
}

/** How many letters to change, add, leave out or swap with their neighbour (optimal string alignment). */
function distance(a: string, b: string): number {
  let older: number[] = [];
  let old = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (old[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (old[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (older[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [older, old] = [old, row];
  }
  return old[b.length] ?? 0;
}
