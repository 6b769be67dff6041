/** The same in each runtime: a log-in, a stream, a payment under a key, a signed webhook. */
export const WALK = `
import { Archipay } from '@archipay/sdk';
import { signWebhook, exampleEvent } from '@archipay/sdk/testing';
import { WebhookHandler } from '@archipay/sdk/webhooks';

export async function walk({ baseUrl, apiKey, usernameoremail, password, key }) {
  const isPage = 'document' in globalThis;
  const options = { baseUrl, apiKey, ...(isPage && { dangerouslyAllowBrowser: true }) };
  const application = new Archipay(options);
  const { data } = await application.auth.logIn({ usernameoremail, password });
  const archipay = application.as(data.token);
  await archipay.fiatWallets.open({ currency: 'USD' });
  const paid = Promise.withResolvers();
  const end = new AbortController();
  const stream = archipay.events.stream(
    { type: 'payment.succeeded' },
    { signal: end.signal, onReady: () => paid.resolve(pay()) },
  );
  const card = { card_number: '4111111111111111', expiry_date: '1232', currency_code: 'USD' };
  const pay = () =>
    archipay.cards.topUp({ ...card, amount: '10.00' }, { idempotencyKey: key }).withResponse();
  let streamed;
  for await (const event of stream) {
    streamed = event;
    break;
  }
  end.abort();
  const first = await paid.promise;
  const again = await pay();
  const declined = await archipay.cards
    .topUp({ ...card, card_number: '4000000000000002', amount: '10.00' })
    .catch((error) => error);
  const secret = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
  const sent = await signWebhook(exampleEvent('payment.succeeded'), secret);
  const handled = [];
  const handler = new WebhookHandler({ secrets: secret })
    .on('payment.succeeded', (event) => handled.push(event.type))
    .otherwise(() => {});
  const delivery = (body) =>
    handler.fetch(new Request('https://shop.example/hook', { method: 'POST', headers: sent.headers, body }));
  const statuses = [(await delivery(sent.body)).status, (await delivery(sent.body + ' ')).status];
  return {
    isPage,
    streamed: streamed.object.id === first.data.data.reference_id,
    requestId: typeof first.requestId,
    replayed: [first.replayed, again.replayed],
    declined: [declined.name, declined.code, declined.outcome],
    statuses,
    handled,
  };
}
`;

/** What it answers, beside whether it is in a page. */
export const RIGHT = {
  streamed: true,
  requestId: 'string',
  replayed: [false, true],
  declined: ['ValidationError', 'CARD_DECLINED', 'refused'],
  statuses: [204, 400],
  handled: ['payment.succeeded'],
};
