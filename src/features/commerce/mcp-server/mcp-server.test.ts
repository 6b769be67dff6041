import { describe, expect, test } from 'vitest';
import { walletsOf } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { harness } from '#test/harness.ts';
import { mcpOf } from '#test/mcp.ts';
import { fund, setAside, walletOn } from '#test/wallets.ts';

const h = await harness();
const { usdc } = h.app.evm.chains.amoy.contracts;
const { connect, use } = mcpOf(h);

const RECIPIENT = '0x00000000000000000000000000000000000ddd01';

async function payer() {
  const as = await h.user();
  const [address] = await walletOn(h, as, 'amoy');
  const wallet_address = address?.wallet_address ?? '';
  await fund(h, 'amoy', wallet_address, 'native', '2');
  await fund(h, 'amoy', wallet_address, 'USDC', '20');
  const wish = {
    wallet_address,
    chain_id: 'amoy',
    token_symbol: 'USDC',
    token_contract: usdc,
    to_address: RECIPIENT,
    amount: '2',
  };
  return { as, wish, client: await connect(as) };
}
const sendsOf = (user_id: number) =>
  h.db.selectFrom('onchain_sends').selectAll().where('user_id', '=', user_id).execute();

const person = await h.user();
const client = await connect(person);

describe('the tools', () => {
  test('give what they make the names that the model hands over', async () => {
    const names = { reference: 'by-a-tool', metadata: { asked: 'once' } };
    const wish = { wallet_name: 'Named', chain_id: 'amoy', ...names };
    expect(await use(client, 'create_crypto_wallet', wish)).toMatchObject({ isError: false });
    const again = await use(client, 'create_crypto_wallet', { ...wish, wallet_name: 'Other' });
    expect(again).toMatchObject({ isError: true, code: 'REFERENCE_IN_USE' });
    const kept = await h.db
      .selectFrom('caller_names')
      .select(['kind', 'reference', 'metadata'])
      .where('user_id', '=', person.user_id)
      .execute();
    expect(kept).toEqual([{ kind: 'crypto_wallet', ...names }]);
  });

  test('are listed with what they take, and none takes the id of a user', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('transfer');
    for (const { name, inputSchema, description } of tools) {
      expect(description, name).toBeTruthy();
      expect(Object.keys(inputSchema.properties ?? {}), name).not.toContain('user_id');
      expect(JSON.stringify(inputSchema), name).not.toContain('"wire"');
    }
  });

  test('that move money say so, and are the only ones that take a confirmation', async () => {
    const { tools } = await client.listTools();
    for (const { name, annotations, inputSchema } of tools)
      expect('confirmation' in (inputSchema.properties ?? {}), name).toBe(
        annotations?.destructiveHint,
      );
  });

  test('answer what their endpoints answer to that person', async () => {
    await h.call('POST /wallets/fiat', { as: person, body: { currency: 'USD' } });
    const [, own] = await h.call('GET /wallets/fiat/{user_id}', {
      as: person,
      params: { user_id: person.user_id },
    });
    const { data } = await use(client, 'list_fiat_wallets');
    expect(data).toEqual(own.data);
    const quote = await use(client, 'get_quote', { from: 'USD', to: 'IDR', amount: '10' });
    expect(quote).toMatchObject({ isError: false, data: { from: 'USD', amount: '10.00' } });
  });

  test('say of each balance what is held and what can be spent', async () => {
    const { as, wish, client: theirs } = await payer();
    const place = { chain_id: 'amoy', wallet_address: wish.wallet_address } as const;
    const [wallet] = await walletsOf(h.db, as.user_id);
    await setAside(h, place, '5');
    const { data } = await use(theirs, 'get_crypto_balance', { wallet_id: wallet?.bw_id });
    expect(data.chains.amoy.tokens[0]).toMatchObject({ balance: '20', held: '5', available: '15' });
    await h.call('POST /wallets/fiat', { as, body: { currency: 'USD' } });
    const fiat = await use(theirs, 'list_fiat_wallets');
    expect(fiat.data.wallets).toContainEqual(
      expect.objectContaining({ balance: '0.00', held: '0.00', available: '0.00' }),
    );
    const { tools } = await theirs.listTools();
    const said = tools.filter(({ name }) =>
      ['get_crypto_balance', 'list_fiat_wallets'].includes(name),
    );
    for (const { description } of said) expect(description).toContain('`available`');
    expect(said).toHaveLength(2);
  });

  test('reach nothing of another person', async () => {
    const other = await h.user();
    const [theirs] = await walletOn(h, other, 'amoy');
    const stolen = await use(client, 'get_crypto_balance', { wallet_id: theirs?.bw_id });
    expect(stolen.isError).toBe(true);
    // An id that a model makes up is not even a field.
    const posing = await use(client, 'list_fiat_wallets', { user_id: other.user_id });
    expect(posing).toMatchObject({ isError: true, code: 'VALIDATION_ERROR' });
  });

  test('that do not exist are named as such', async () => {
    expect(await use(client, 'steal')).toMatchObject({ isError: true, code: 'NOT_FOUND' });
  });
});

describe('a transfer', () => {
  test('moves nothing before the person agreed, and then once, however often it is sent', async () => {
    const { as, wish, client: theirs } = await payer();
    const asked = await use(theirs, 'transfer', wish);
    expect(asked).toMatchObject({
      isError: false,
      status: 'CONFIRMATION_REQUIRED',
      what_will_happen: `Send 2 USDC on amoy from ${wish.wallet_address} to ${RECIPIENT}`,
    });
    expect(await sendsOf(as.user_id)).toEqual([]);
    const agreed = { ...wish, confirmation: asked.confirmation };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => use(theirs, 'transfer', agreed)),
    );
    const paid = answers.filter(({ isError }) => !isError);
    expect(paid.length).toBeGreaterThan(0);
    expect(new Set(paid.map(({ data }) => data.transaction.tx_hash)).size).toBe(1);
    // A repetition that cannot wait for the first one says so, and pays nothing.
    for (const { code } of answers.filter(({ isError }) => isError))
      expect(code).toBe('PROVIDER_UNAVAILABLE');
    expect(await sendsOf(as.user_id)).toHaveLength(1);
  });

  test('is refused with a confirmation of other arguments, of another log-in, or a late one', async () => {
    const { as, wish, client: theirs } = await payer();
    const { confirmation } = await use(theirs, 'transfer', wish);
    const dearer = await use(theirs, 'transfer', { ...wish, amount: '3', confirmation });
    const foreign = await use(client, 'transfer', { ...wish, confirmation });
    const made_up = await use(theirs, 'transfer', { ...wish, confirmation: 'v1.AAAA' });
    await h.advance(301);
    const late = await use(theirs, 'transfer', { ...wish, confirmation });
    for (const answer of [dearer, foreign, made_up, late])
      expect(answer).toMatchObject({ isError: true, code: 'CONFIRMATION_REQUIRED' });
    expect(await sendsOf(as.user_id)).toEqual([]);
  });

  test('with a wrong argument is refused before the confirmation', async () => {
    const { wish, client: theirs } = await payer();
    for (const wrong of [{ amount: '-1' }, { chain_id: 'bitcoin' }, { to_address: '' }])
      expect(await use(theirs, 'transfer', { ...wish, ...wrong })).toMatchObject({
        isError: true,
        code: 'VALIDATION_ERROR',
      });
  });
});

describe('a purchase', () => {
  test('is found, ordered, and paid once the person has agreed', async () => {
    const { wish, client: theirs } = await payer();
    const { products } = await use(theirs, 'search_products', { query: 'scarf' });
    const [good] = products;
    await fund(h, 'amoy', wish.wallet_address, 'USDC', '5000');
    const ordered = await use(theirs, 'create_order', {
      product: { productId: good.productId, source: good.source },
      recipient: { name: 'Siti Rahma', address: 'Jl. Melati 5, Bandung' },
      wallet_address: wish.wallet_address,
      chain_id: 'amoy',
    });
    const { order_id } = ordered.order;
    const asked = await use(theirs, 'pay_order', { order_id });
    const { token_amount, product_data } = ordered.order;
    expect(asked).toMatchObject({ status: 'CONFIRMATION_REQUIRED' });
    for (const part of [order_id, `${token_amount} USDC on amoy`, wish.wallet_address])
      expect(asked.what_will_happen).toContain(part);
    expect(asked.what_will_happen).toContain(JSON.stringify(product_data.title));
    // Another order is another payment, and one that is not the person's is none.
    const unknown = await use(theirs, 'pay_order', { order_id: 'MKT-1-aaaaaaaa' });
    expect(unknown).toMatchObject({ isError: true });
    expect(unknown.what_will_happen).toBeUndefined();
    expect((await use(theirs, 'get_order', { order_id })).order.payment_status).toBe('PENDING');
    const { confirmation } = asked;
    const paid = await use(theirs, 'pay_order', { order_id, confirmation });
    expect(paid.transaction.tx_hash).toMatch(/^0x/);
    expect((await use(client, 'get_order', { order_id })).isError).toBe(true);
  });
});

describe('the protocol', () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

  test('asks for a key and a token like every endpoint', async () => {
    expect((await h.call('POST /mcp-server', { as: 'nobody', body: message }))[0]).toBe(401);
    expect((await h.call('POST /mcp-server', { body: message }))[0]).toBe(401);
    const [status, body] = await h.call('POST /mcp-server', { as: person, body: message });
    expect([status, body.jsonrpc, body.id]).toEqual([200, '2.0', 1]);
  });

  test('answers what is no message, an unknown method and a notification', async () => {
    const answers = await Promise.all(
      [
        { jsonrpc: '1.0', id: 1, method: 'tools/list' },
        { ...message, method: 'tools/steal' },
        { jsonrpc: '2.0', method: 'notifications/initialized' },
      ].map((body) => h.send('POST /mcp-server', { as: person, body })),
    );
    expect(answers.map(({ status }) => status)).toEqual([400, 200, 202]);
    expect(answers[0]?.body.error.code).toBe(-32_700);
    expect(answers[1]?.body.error.code).toBe(-32_601);
  });

  test('knows no session that could be listened to or ended', async () => {
    expect((await h.call('GET /mcp-server', { as: person }))[0]).toBe(405);
    expect((await h.call('DELETE /mcp-server', { as: person }))[0]).toBe(405);
  });
});
