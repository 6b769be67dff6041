import { describe, expect, test } from 'vitest';
import { readAsked } from './asked.ts';
import { answerTo } from './rules.ts';

const ADDRESS = '0x00000000000000000000000000000000000000aa';

/** What the rules answer to a task, where somebody said that. */
function answer(
  task: string,
  said: string,
  { open = '', schema }: { open?: string; schema?: object } = {},
) {
  const content = `Task: ${task}\n${open === '' ? '' : `Open question: ${open}\n`}Do it.`;
  const asked = readAsked({
    model: 'rules',
    messages: [
      { role: 'system', content },
      { role: 'user', content: said },
    ],
    ...(schema && {
      response_format: { type: 'json_schema' as const, json_schema: { name: task, schema } },
    }),
  });
  return JSON.parse(answerTo(asked)) as Record<string, unknown>;
}

describe('what somebody wants of their wallets', () => {
  const A = ADDRESS;
  test.each<[string, object]>([
    [
      'Create a wallet named Savings on sepolia',
      { intent: 'create_wallet', wallet_name: 'Savings', chain_id: 'sepolia' },
    ],
    [
      'Buatkan dompet bernama Tabungan di Polygon',
      { intent: 'create_wallet', wallet_name: 'Tabungan', chain_id: 'amoy', language: 'id' },
    ],
    ['make me a new wallet', { intent: 'create_wallet', language: 'en' }],
    ['Buat dompet baru', { intent: 'create_wallet', language: 'id' }],
    [
      'Add an address on amoy to "Savings"',
      { intent: 'add_address', wallet_name: 'Savings', chain_id: 'amoy' },
    ],
    [
      'Tambahkan alamat neon ke dompet "Tabungan"',
      { intent: 'add_address', wallet_name: 'Tabungan', chain_id: 'neon', language: 'id' },
    ],
    ['What is my balance?', { intent: 'balance', language: 'en' }],
    ['Berapa saldo saya?', { intent: 'balance', language: 'id' }],
    ['cek saldo', { intent: 'balance', language: 'id' }],
    ['show my wallets', { intent: 'balance' }],
    ['Show my transaction history', { intent: 'history' }],
    ['Lihat riwayat transaksi', { intent: 'history', language: 'id' }],
    [
      `Import token ${A} on sepolia`,
      { intent: 'import_token', token_address: A, chain_id: 'sepolia' },
    ],
    [
      `Impor token ${A} di jaringan amoy`,
      { intent: 'import_token', token_address: A, chain_id: 'amoy', language: 'id' },
    ],
    [
      `Send 0.5 USDC to ${A} on sepolia`,
      { intent: 'send', amount: '0.5', token_symbol: 'USDC', to_address: A, chain_id: 'sepolia' },
    ],
    [
      `Kirim 0,5 USDC ke ${A} di sepolia`,
      {
        intent: 'send',
        amount: '0.5',
        token_symbol: 'USDC',
        to_address: A,
        chain_id: 'sepolia',
        language: 'id',
      },
    ],
    [`send 2 NEON to ${A}`, { intent: 'send', amount: '2', token_symbol: 'NEON', to_address: A }],
    [
      `transfer 1,000.25 usdc to ${A} on Ethereum`,
      { intent: 'send', amount: '1000.25', chain_id: 'sepolia' },
    ],
    [
      `kirim 1.000,25 USDC ke ${A} di Ethereum`,
      { intent: 'send', amount: '1000.25', chain_id: 'sepolia' },
    ],
    ['send money', { intent: 'send', language: 'en' }],
    [
      'Bridge 5 USDC from sepolia to amoy',
      { intent: 'crosschain_transfer', amount: '5', from_chain: 'sepolia', to_chain: 'amoy' },
    ],
    [
      'Pindahkan 5 USDC dari Polygon ke Ethereum',
      {
        intent: 'crosschain_transfer',
        amount: '5',
        from_chain: 'amoy',
        to_chain: 'sepolia',
        language: 'id',
      },
    ],
    [
      `Move 5 USDC from neon to amoy for ${A}`,
      { intent: 'crosschain_transfer', from_chain: 'neon', to_chain: 'amoy', recipient_address: A },
    ],
    ['transfer lintas rantai', { intent: 'crosschain_transfer', language: 'id' }],
    ['help', { intent: 'help' }],
    ['Bantuan, apa yang bisa kamu lakukan?', { intent: 'help', language: 'id' }],
    ['cancel', { intent: 'cancel' }],
    ['batalkan', { intent: 'cancel' }],
    ["don't send it", { intent: 'cancel' }],
    ['jangan kirim', { intent: 'cancel' }],
    ['The weather is nice', { intent: 'unknown' }],
  ])('%s', (said, expected) => {
    expect(answer('wallet-intent', said)).toMatchObject(expected);
  });

  test.each<[string, string, object]>([
    ['wallet_name of create_wallet', 'Holiday money', { wallet_name: 'Holiday money' }],
    ['chain_id of create_wallet', 'Polygon', { chain_id: 'amoy' }],
    ['amount of send', '12.5', { amount: '12.5' }],
    ['amount of send', '12,5 saja', { amount: '12.5' }],
    ['to_address of send', ADDRESS, { to_address: ADDRESS }],
    ['token_address of import_token', ADDRESS, { token_address: ADDRESS }],
    ['to_chain of crosschain_transfer', 'neon', { to_chain: 'neon' }],
    ['from_chain of crosschain_transfer', 'on sepolia please', { from_chain: 'sepolia' }],
    ['token_symbol of send', 'usdc', { token_symbol: 'USDC' }],
  ])('when asked for %s: %s', (open, said, expected) => {
    expect(answer('wallet-intent', said, { open })).toMatchObject({
      intent: 'unknown',
      ...expected,
    });
  });
});

describe('what somebody wants to buy', () => {
  test.each<[string, string, string | null]>([
    ['Buy this: https://shop.example/p/1?x=2.', 'purchase', 'https://shop.example/p/1?x=2'],
    ['Tolong belikan https://shop.example/kaos dong', 'purchase', 'https://shop.example/kaos'],
    ['https://shop.example/p/1', 'purchase', 'https://shop.example/p/1'],
    ['How much is https://shop.example/p/1 ?', 'product_info', 'https://shop.example/p/1'],
    ['I want to purchase a lamp', 'purchase', null],
    ['Good morning', 'unknown', null],
  ])('%s', (said, intent, url) => {
    expect(answer('purchase-intent', said)).toMatchObject({ intent, url });
  });

  test('is told in the words and fields that were offered', () => {
    const schema = {
      properties: {
        detected_intent: { enum: ['PURCHASE', 'OTHER'] },
        detected_url: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
    };
    expect(answer('purchase-intent', 'buy a lamp', { schema })).toEqual({
      detected_intent: 'PURCHASE',
      detected_url: null,
    });
  });
});

test.each<[string, string, RegExp]>([
  ['find me a leather wallet', 'SEARCH', /“leather wallet”/],
  ['carikan tas kulit murah', 'SEARCH', /“tas kulit murah”/],
  ['I want to buy it', 'BUY', /USDC/],
  ['saya mau beli yang ini', 'BUY', /USDC/],
  ['how does this work?', 'HELP', /search/],
  ['bagaimana cara pesan?', 'HELP', /mencari/],
  ['is shipping free?', 'INFO', /shipping/],
])('a shopper who says “%s” wants %s', (said, intent, reply) => {
  const told = answer('shop-chat', said);
  expect(told['intent']).toBe(intent);
  expect(told['reply']).toMatch(reply);
});

test.each<[string, readonly string[]]>([
  ['lether walet', ['lether walet', 'leather wallet', 'kulit dompet']],
  ['tas kulit', ['tas kulit', 'bag leather']],
  ['red shoes', ['red shoes', 'merah sepatu', 'red sneakers']],
  ['xylophone', ['xylophone']],
])('a search for %s is also one for other words', (said, expected) => {
  const told = answer('expand-query', said)['search_queries'] as string[];
  expect(told).toEqual(expect.arrayContaining([...expected]));
  expect(told.length).toBeLessThanOrEqual(8);
  expect(new Set(told).size).toBe(told.length);
});
