import type { FastifyInstance, FastifyReply } from 'fastify';
import { scope } from '#kernel/http/declare/scope.ts';
import { escapeHtml } from '#kernel/http/pages/pages.ts';
import { showPage, takeForms } from '#sandbox/hosted-page.ts';
import type { World } from '#sandbox/simulator.ts';
import {
  cardOfPage,
  type SimulatedCard,
  setSimulatedPin,
  useSimulatedPage,
} from './simulated-cards.ts';

interface ByToken {
  Querystring: { token?: string };
}

/**
 * Pages of the processor for the holder of a card: its number, and its PIN. A token shows them once; what opens the page is
 * a button, since programs follow links.
 */
export function issuingPages(server: FastifyInstance, world: World): void {
  scope(server, 'issuing pages', (pages) => {
    takeForms(pages);
    pages.get<ByToken>('/issuing/pages/card', async ({ query }, reply) => {
      const card = await cardOfPage(world, query.token ?? '', 'card');
      return card ? show(reply, 200, 'Your card', ASK_NUMBER) : gone(reply);
    });
    pages.post<ByToken>('/issuing/pages/card', async ({ query: { token = '' } }, reply) => {
      const card = await cardOfPage(world, token, 'card');
      if (!card || !(await useSimulatedPage(world, token))) return gone(reply);
      return show(reply, 200, 'Your card', numbers(card));
    });
    pages.get<ByToken>('/issuing/pages/pin', async ({ query }, reply) => {
      const card = await cardOfPage(world, query.token ?? '', 'pin');
      return card ? show(reply, 200, 'Your PIN', askPin()) : gone(reply);
    });
    pages.post<ByToken>('/issuing/pages/pin', async ({ query: { token = '' }, body }, reply) => {
      const card = await cardOfPage(world, token, 'pin');
      if (!card) return gone(reply);
      const { pin = '' } = (body ?? {}) as Record<string, string>;
      if (!/^\d{4}$/.test(pin)) return show(reply, 400, 'Your PIN', askPin(FOUR_DIGITS));
      if (!(await useSimulatedPage(world, token))) return gone(reply);
      await setSimulatedPin(world, card.token);
      return show(reply, 200, 'Your PIN', DONE);
    });
  });
}

const show = showPage;
const gone = (reply: FastifyReply) => show(reply, 404, 'Not valid', GONE);

const ASK_NUMBER = `
  <h1>Your card</h1>
  <form method="post"><p class="soft">Take care that no other person sees the screen: it is shown once.</p>
  <button>Show the number</button></form>`;

const numbers = ({ pan, cvv, expiration, name }: SimulatedCard): string => `
  <h1>Your card</h1>
  <dl><dt>Number</dt><dd>${(pan.match(/.{4}/g) ?? []).join(' ')}</dd>
  <dt>Valid until</dt><dd>${expiration.slice(0, 2)}/${expiration.slice(2)}</dd>
  <dt>Security code</dt><dd>${cvv}</dd>
  <dt>Name</dt><dd>${escapeHtml(name)}</dd></dl>`;

const FOUR_DIGITS = 'A PIN has four digits.';
const askPin = (fault = ''): string => `
  <h1>Your PIN</h1>
  ${fault === '' ? '' : `<p role="alert">${fault}</p>`}
  <form method="post"><p><label for="pin">Four digits</label>
  <input id="pin" name="pin" type="password" inputmode="numeric" autocomplete="off" maxlength="4"></p>
  <button>Set the PIN</button></form>`;

const DONE = `
  <h1>Your PIN</h1>
  <p role="status">It is set.</p>`;
const GONE = `
  <h1>This page is no longer valid</h1>
  <p>Please ask for a new one.</p>`;
