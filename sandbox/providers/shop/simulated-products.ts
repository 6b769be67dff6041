/** Something that the sandbox's shop sells, and how its page says so. */
export interface ShopProduct {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** As a person reads it on the page. */
  readonly priceText: string;
  /** Decimal text and code: what it really costs. */
  readonly price: string;
  readonly currency: string;
  readonly markup: 'json-ld' | 'graph' | 'open-graph' | 'microdata' | 'all';
  /** A third of the products are shown in Indonesian. */
  readonly lang?: 'id';
}

/** Prices of many countries, in every way that pages say them to machines. */
export const PRODUCTS: readonly ShopProduct[] = [
  {
    slug: 'desk-lamp',
    title: 'Desk lamp "Dusk"',
    description: 'A brass desk lamp with a linen shade and a dimmer.',
    priceText: '$20.00',
    price: '20.00',
    currency: 'USD',
    markup: 'json-ld',
  },
  {
    slug: 'batik-shirt',
    title: 'Kemeja batik tulis Pekalongan',
    description: 'Batik tulis katun halus, dibuat dengan tangan.',
    priceText: 'Rp 1.234.567',
    price: '1234567.00',
    currency: 'IDR',
    markup: 'open-graph',
    lang: 'id',
  },
  {
    slug: 'espresso-machine',
    title: 'Espresso machine',
    description: 'Fifteen bars, one lever, no screen.',
    priceText: '$1,234.50',
    price: '1234.50',
    currency: 'USD',
    markup: 'microdata',
  },
  {
    slug: 'wanderstiefel',
    title: 'Wanderstiefel „Höhenweg“',
    description: 'Zwiegenähte Stiefel aus Rindsleder.',
    priceText: '1.234,50 €',
    price: '1234.50',
    currency: 'EUR',
    markup: 'microdata',
  },
  {
    slug: 'kaya-jam',
    title: 'Kaya jam, three jars',
    description: 'Coconut and pandan, as in a kopitiam.',
    priceText: 'S$12.90',
    price: '12.90',
    currency: 'SGD',
    markup: 'json-ld',
  },
  {
    slug: 'ca-phe',
    title: 'Cà phê Buôn Ma Thuột',
    description: 'Cà phê rang mộc, 500 g.',
    priceText: '₫150.000',
    price: '150000',
    currency: 'VND',
    markup: 'microdata',
  },
  {
    slug: 'silk-saree',
    title: 'Silk saree, Kanchipuram',
    description: 'Handwoven silk with a gold border.',
    priceText: '₹1,23,456.50',
    price: '123456.50',
    currency: 'INR',
    markup: 'graph',
  },
  {
    slug: 'kopi-gayo',
    title: 'Kopi Gayo 250 g',
    description: 'Kopi arabika dari dataran tinggi Gayo.',
    priceText: 'IDR 25.000',
    price: '25000.00',
    currency: 'IDR',
    markup: 'all',
    lang: 'id',
  },
  {
    slug: 'picnic-rug',
    title: 'Picnic rug',
    description: 'Merino wool, two metres by two.',
    priceText: 'A$ 149.95',
    price: '149.95',
    currency: 'AUD',
    markup: 'open-graph',
  },
  {
    slug: 'teacup',
    title: 'Teacup & saucer <bone china>',
    description: 'Signs that HTML has to escape are in its name.',
    priceText: '£9.99',
    price: '9.99',
    currency: 'GBP',
    markup: 'json-ld',
  },
  {
    slug: 'sticker',
    title: 'Sticker',
    description: 'Five dollars, plainly.',
    priceText: 'US$ 5',
    price: '5.00',
    currency: 'USD',
    markup: 'microdata',
  },
];
