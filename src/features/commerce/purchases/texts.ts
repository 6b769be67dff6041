import type { MessageWords } from '#features/messaging/messages/messages.ts';
import type { Localised } from '#kernel/localised.ts';
import { ours } from '#kernel/wording.ts';

interface Receipt {
  readonly order_id: string;
  readonly product: string;
  readonly shop: string;
  readonly price: string;
  readonly paid: string;
  readonly network: string;
  readonly hash: string | null;
  readonly recipient: string;
}

export const RECEIPT_TEXTS: Localised<(receipt: Receipt) => MessageWords> = {
  en: ({ order_id, product, shop, price, paid, network, hash, recipient }) => ({
    subject: `Receipt for order ${order_id}`,
    text: [
      'Thank you. Your order was paid.',
      '',
      ours(`Order: ${order_id}`),
      `Product: ${product}`,
      `Shop: ${shop}`,
      `Price: ${price}`,
      `Paid: ${paid}`,
      `Network: ${network}`,
      ours(`Transaction: ${hash}`),
      '',
      `Deliver to: ${recipient}`,
    ],
  }),
  id: ({ order_id, product, shop, price, paid, network, hash, recipient }) => ({
    subject: `Tanda terima untuk pesanan ${order_id}`,
    text: [
      'Terima kasih. Pesanan Anda telah dibayar.',
      '',
      ours(`Pesanan: ${order_id}`),
      `Produk: ${product}`,
      `Toko: ${shop}`,
      `Harga: ${price}`,
      `Dibayar: ${paid}`,
      `Jaringan: ${network}`,
      ours(`Transaksi: ${hash}`),
      '',
      `Dikirim ke: ${recipient}`,
    ],
  }),
};
