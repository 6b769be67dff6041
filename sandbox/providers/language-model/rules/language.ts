/** The languages that the sandbox's rules speak. */
export type SimulatedModelLanguage = 'en' | 'id';

const INDONESIAN = new Set(
  `ada aku alamat anda apa atau bagaimana bantu bantuan baru batal batalkan bayar beli belikan berapa
   bernama bikin boleh buat buatkan buka cari carikan cek dalam dan dari dengan di dompet dompetku
   gimana harga histori impor ini ingin isi itu jangan jaringan jembatan kasih ke kirim kirimkan kirimin
   kontrak koin lanjutkan lihat lintas mau mohon nama ongkir pada pakai pembelian perlu pesan pesankan
   pindah pindahkan rantai rekomendasi riwayat saja saldo saldoku saya sebesar seharga semua sekarang
   setuju siap silakan tambah tambahkan tampilkan tanya terima tidak tolong token transaksi untuk uang
   yang ya dompetnya produk toko sepatu tas murah bisa dijual stok ukuran warna barang kado hadiah`
    .split(/\s+/)
    .filter((word) => word !== '' && word !== 'token'),
);

const ENGLISH = new Set(
  `a add and are balance buy can cancel create for find from help how i import is looking make me
   my of please price product search send show the this to transfer what with you your`.split(
    /\s+/,
  ),
);

/** By the words that only one of them has; English where there are as many. */
export function languageOf(text: string): SimulatedModelLanguage {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const score = (known: ReadonlySet<string>) => words.filter((word) => known.has(word)).length;
  return score(INDONESIAN) > score(ENGLISH) ? 'id' : 'en';
}

/** What is said in one language or the other. */
export const say = (language: SimulatedModelLanguage, en: string, id: string): string =>
  language === 'en' ? en : id;
