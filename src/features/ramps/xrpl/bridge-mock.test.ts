import { expect, test } from 'vitest';
import { classicAddressToXAddress, Wallet } from 'xrpl';
import { bridger } from '#test/bridge.ts';
import { type Body, harness } from '#test/harness.ts';
import { doneBy } from '#test/xrpl.ts';

/** In mock mode trust lines that are not there are opened. */
const h = await harness();
const person = await bridger(h);
const codeOf = ([status, body]: [number, Body]) => [status, body.error?.code ?? body.code];
const to_chain = 'xrpl';

const { platform } = doneBy(await h.app.providers.xrpl.prepare());
const { address } = Wallet.generate();
const tagged = (isTest: boolean) => classicAddressToXAddress(address, 7, isTest);
test.each([
  ['an EVM address is named', {}],
  ['the main network is named', { recipient_address: tagged(false) }],
  ['two tags differ', { recipient_address: tagged(true), recipient_tag: 8 }],
  ['the recipient is the platform’s own', { recipient_address: platform }],
])('a quote to the XRP Ledger is refused where %s', async (_, over) => {
  expect(codeOf(await person.quote({ to_chain, ...over }))).toEqual([400, 'VALIDATION_ERROR']);
});

test('a tag beside an EVM address is refused', async () => {
  expect(codeOf(await person.quote({ recipient_tag: 7 }))).toEqual([400, 'VALIDATION_ERROR']);
});

test('a transfer to the XRP Ledger is taken in, issued to the platform and sent on', async () => {
  const [, { data: quote }] = await person.quote({ to_chain, recipient_address: tagged(true) });
  expect(quote).toMatchObject({ recipient_address: address, recipient_tag: 7 });
  const [, { data }] = await person.begin(quote.quote_id);
  expect(data).toMatchObject({
    status: 'COMPLETED',
    to_chain,
    recipient_tag: 7,
    steps: [
      { name: 'burn', chain: 'sepolia', state: 'DONE', hash: expect.any(String) },
      { name: 'attest', chain: 'sepolia', state: 'DONE' },
      { name: 'mint', chain: to_chain, state: 'DONE', hash: expect.any(String) },
      { name: 'send', chain: to_chain, state: 'DONE', explorer_url: expect.any(String) },
    ],
  });
});
