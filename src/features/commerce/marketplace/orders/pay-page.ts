import { CHAINS, explorerTxUrl } from '#chains/evm/port.ts';
import type { Html } from '#kernel/http/declare/html.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import { escapeHtml, page } from '#kernel/http/pages/pages.ts';
import { qrImage } from '#kernel/http/pages/qr-image.ts';
import type { MarketDeps } from '../deps.ts';
import type { MarketplaceOrder } from './order-store.ts';
import { usdcText } from './presenters.ts';

/** The address of the payment page. Its key opens this page and nothing else. */
export const payPageUrl = (
  { publicUrl }: Pick<MarketDeps, 'publicUrl'>,
  { order_id, page_key }: MarketplaceOrder,
): string =>
  `${publicUrl()}${API_PREFIX}/marketplace/orders/${order_id}/pay?${new URLSearchParams({ key: page_key })}`;

/** Seconds between two reloads: within an address's limit, also with several pages open. */
const LOOK_S = 5;

/** The amount to pay, or how the order ended. Of the buyer it shows only the wallet. */
export function payPage(order: MarketplaceOrder): Html {
  const { payment_status, product } = order;
  const title = {
    PENDING: `Pay ${usdcText(order.units)} USDC`,
    PAID: 'Payment received',
    COMPLETED: 'Payment received',
    FAILED: 'The goods cannot be delivered',
    CANCELLED: 'The time to pay is over',
  }[payment_status];
  const isOpen = payment_status === 'PENDING';
  const body = `
<p class="what">${escapeHtml(product.title)}</p>
<p class="soft">Order ${escapeHtml(order.order_id)}</p>
${isOpen ? openPart(order) : endPart(order)}`;
  return page(200, title, body, isOpen ? { lookAgainS: LOOK_S } : {});
}

/** For an unknown order and a wrong key alike. */
export const noPayPage = (): Html =>
  page(404, 'There is nothing to pay here', '<p>The link is incomplete, or not one of ours.</p>');

/** An exact transfer of the token (EIP-681), which wallets on phones understand. */
const paymentUri = ({
  token_address,
  contract_address,
  units,
  chain_id,
}: MarketplaceOrder): string =>
  `ethereum:${token_address}@${CHAINS[chain_id].chainId}/transfer?address=${contract_address}&uint256=${units}`;

function openPart(order: MarketplaceOrder): string {
  const uri = paymentUri(order);
  const code = qrImage(uri);
  const { name, network } = CHAINS[order.chain_id];
  const until = order.expires_at.replace('T', ' ').slice(0, 16);
  return `
<img class="code" src="${code}" width="264" height="264" alt="QR code of this payment">
<dl>
<dt>Amount</dt><dd>${usdcText(order.units)} USDC, exactly</dd>
<dt>Chain</dt><dd>${escapeHtml(`${name}, ${network}`)}</dd>
<dt>From your wallet</dt><dd><code>${escapeHtml(order.wallet_address)}</code></dd>
<dt>To</dt><dd><code>${escapeHtml(order.contract_address)}</code></dd>
<dt>USDC contract</dt><dd><code>${escapeHtml(order.token_address)}</code></dd>
<dt>Until</dt><dd><time datetime="${order.expires_at}">${until} UTC</time></dd>
</dl>
<p><a href="${escapeHtml(uri)}">Open in a wallet</a></p>
<p class="soft">Another amount, token, chain or sender is not taken for this order. This is a test
network: send nothing of value.</p>
<p role="status">Waiting for the payment…</p>`;
}

const ENDED = {
  PAID: 'The shop is being asked to deliver.',
  COMPLETED: 'The goods are ordered at the shop.',
  FAILED: 'What was paid goes back to where it came from.',
  CANCELLED: 'Do not pay any more. What is paid now goes back.',
} as const;

function endPart(order: MarketplaceOrder): string {
  const { payment_status, blockchain_tx_hash, chain_id } = order;
  const said = payment_status === 'PENDING' ? '' : ENDED[payment_status];
  const link = blockchain_tx_hash
    ? `<p><a href="${escapeHtml(explorerTxUrl(CHAINS[chain_id], blockchain_tx_hash))}" rel="noreferrer">See the transaction</a></p>`
    : '';
  return `<p role="status">${said}</p>${link}`;
}
