import type { Body, Harness } from './harness.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Acts of a payer on the page of an invoice, as a browser without script sends them. */
export function checkoutOf(h: Harness, { checkout_url }: Body) {
  const address = new URL(checkout_url);
  const at = (below: string, query: Readonly<Record<string, string>> = {}): string => {
    const url = new URL(address);
    url.pathname += below;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.href;
  };
  const press = (below: string, fields: Readonly<Record<string, string>>, headers = {}) =>
    fetch(at(below), {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': FORM, ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  return {
    at,
    press,
    page: (query = {}, headers = {}) => fetch(at('', query), { headers }),
    text: async (query = {}, headers = {}) => (await fetch(at('', query), { headers })).text(),
    async state(): Promise<Body> {
      return ((await (await fetch(at('/state'))).json()) as Body).data;
    },
    pay: (method: string) => press('/payments', { method }),
    /** With a card, as it is typed. */
    card: (card_number: string, fields = {}) =>
      press('/card', { card_number, expiry_date: '11/39', cvv: '739', ...fields }),
    /** The same at another process of the service. */
    cardAt: (api: string, card_number: string) =>
      fetch(new URL(at('/card').slice(address.origin.length), api), {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': FORM },
        body: new URLSearchParams({ card_number, expiry_date: '11/39', cvv: '739' }).toString(),
      }),
    cancel: (fields = {}) => press('/cancel', fields),
    /** Until the first event of the stream, whose text it answers. */
    async firstEvent(act: () => Promise<unknown>): Promise<string> {
      const stream = await fetch(at('/events'));
      const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
      let text = '';
      let acting: Promise<unknown> | undefined;
      for (;;) {
        const { done, value } = await reader.read();
        text += Buffer.from(value ?? []).toString();
        acting ??= act();
        if (text.includes('event: ') || done) break;
      }
      await reader.cancel();
      await acting;
      await h.drain();
      return text;
    },
  };
}
