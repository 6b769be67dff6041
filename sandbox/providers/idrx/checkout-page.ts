import type { FastifyInstance, FastifyReply } from 'fastify';
import { scope } from '#kernel/http/declare/scope.ts';
import { escapeHtml } from '#kernel/http/pages/pages.ts';
import { showPage, takeForms } from '#sandbox/hosted-page.ts';
import {
  expireMint,
  type IdrxWorld,
  payMint,
  SIMULATED_IDRX_PREFIX,
  type SimulatedMint,
  simulatedIdrxMintOf,
} from './simulated-history.ts';
import { simulatedIdrxPriceOf, WAYS, type Way } from './ways-to-pay.ts';

interface ById {
  Params: { id: string };
  Body: { action?: string; way?: string } | null;
}

/** The page behind `paymentUrl`: the payer picks a way to pay, and pays or lets it lapse. */
export function checkoutPages(server: FastifyInstance, world: IdrxWorld): void {
  scope(server, 'checkout pages', (pages) => {
    takeForms(pages);
    const path = `${SIMULATED_IDRX_PREFIX}/checkout/:id`;

    pages.get<ById>(path, async ({ params }, reply) => {
      const mint = await simulatedIdrxMintOf(world, params.id);
      return mint === undefined ? show(reply, 404, UNKNOWN) : show(reply, 200, content(mint));
    });

    pages.post<ById>(path, async ({ params, body, url }, reply) => {
      const mint = await simulatedIdrxMintOf(world, params.id);
      if (mint === undefined) return show(reply, 404, UNKNOWN);
      const { action, way } = body ?? {};
      if (action === 'expire') await expireMint(world, params.id);
      else if (action === 'pay' && isWay(way)) await payMint(world, params.id, way);
      else return show(reply, 400, content(mint));
      return reply.redirect(url, 303);
    });
  });
}

export const isWay = (text: string | undefined): text is Way =>
  text !== undefined && Object.hasOwn(WAYS, text);

const show = (reply: FastifyReply, status: number, html: string) =>
  showPage(reply, status, 'IDRX payment', html);

const UNKNOWN = `
  <h1>There is no such payment</h1>
  <p>Please ask for a new link.</p>`;

function content(mint: SimulatedMint): string {
  if (mint.paymentStatus === 'EXPIRED')
    return `
  <h1>This payment has expired</h1>
  <p role="status">Nothing was taken, and it can no longer be paid. Please ask for a new one.</p>`;
  const token = `${escapeHtml(mint.toBeMinted)} IDRX`;
  const wallet = `<code>${escapeHtml(mint.destinationWalletAddress)}</code>`;
  if (mint.paymentStatus === 'PAID')
    return `
  <h1>Payment received</h1>
  <p role="status">IDR&nbsp;${escapeHtml(mint.amount)} was paid.
    ${mint.txHash ? `${token} are at` : `${token} are on their way to`} ${wallet}.</p>`;
  return `
  <h1>Buy ${token}</h1>
  <p>They go to ${wallet}.</p>
  <form method="post">
    <fieldset>
      <legend>How do you pay?</legend>
      ${(Object.keys(WAYS) as Way[]).map((way, n) => choice(mint, way, n === 0)).join('')}
    </fieldset>
    <p class="soft">This is the sandbox: nothing is sent, and you decide.
      Reference ${escapeHtml(mint.productDetails)}.</p>
    <button name="action" value="pay">Pay</button>
    <button name="action" value="expire" class="second">Let it expire</button>
  </form>`;
}

const choice = (mint: SimulatedMint, way: Way, isFirst: boolean): string => `
      <label><input type="radio" name="way" value="${way}"${isFirst ? ' checked' : ''}>
        ${WAYS[way]}, IDR&nbsp;${simulatedIdrxPriceOf(mint, way)}</label>`;
