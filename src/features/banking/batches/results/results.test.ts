import { expect, test } from 'vitest';
import { endAtHost } from '#test/bank-host.ts';
import { batchMaker } from '#test/batches.ts';
import { harness, type Person } from '#test/harness.ts';
import { faultsOf, type IsoMessage } from '#test/iso20022/validate.ts';

const h = await harness({ mock: false });
await h.drain();

async function resultOf(as: Person, batch_id: string, file: string): Promise<string> {
  const reply = await h.send(`GET /batches/{batch_id}/${file}`, { as, params: { batch_id } });
  expect(reply.status).toBe(200);
  return String(reply.body);
}

const valid = async (as: Person, id: string, file: string, message: IsoMessage) => {
  const xml = await resultOf(as, id, file);
  expect(faultsOf(message, xml)).toEqual([]);
  return xml;
};

test('results say of each payment where it stands, at any time, and are valid by ISO’s definitions', async () => {
  const user = await batchMaker(h, 'USD', 50_000n);
  const [line] = user.lines('10');
  const items = [
    { ...line, reference: '=SUM(1+1)', note: '@cmd' },
    { ...line, amount: '20', reference: 'x'.repeat(60) },
    { ...line, amount: '30' },
    { ...line, amount: '40', reference: 'late-one' },
  ];
  const [, { data: draft }] = await user.draft(items);
  const early = await valid(user.as, draft.batch_id, 'pain.002', 'pain.002.001.10');
  expect(early.match(/<TxSts>PDNG<\/TxSts>/g)).toHaveLength(4);
  await valid(user.as, draft.batch_id, 'camt.054', 'camt.054.001.08');
  const [, { data: submitted }] = await user.submit(draft);
  await user.approve(submitted);
  await h.drain();
  const [paid, refused, back] = (await user.items(draft.batch_id)).map(({ item_id }) => item_id);
  await endAtHost(h, paid, 'complete');
  await endAtHost(h, refused, 'reject', 'AC01');
  await endAtHost(h, back, 'complete');
  await h.advance(11 * 60);
  await h.drain();
  await endAtHost(h, back, 'return', 'AC04');
  await h.advance(61 * 60);
  await h.drain();
  const report = await valid(user.as, draft.batch_id, 'pain.002', 'pain.002.001.10');
  expect([...report.matchAll(/<TxSts>(\w+)</g)].map(([, code]) => code)).toEqual([
    'ACSC',
    'RJCT',
    'ACSC',
    'ACCP',
  ]);
  expect(report).toContain('<Rsn><Cd>AC01</Cd></Rsn>');
  expect(report).toContain('<OrgnlEndToEndId>late-one</OrgnlEndToEndId>');
  const booked = await valid(user.as, draft.batch_id, 'camt.054', 'camt.054.001.08');
  expect([...booked.matchAll(/<Ntry>.*?<CdtDbtInd>(\w+)</g)].map(([, side]) => side)).toEqual([
    'DBIT',
    'DBIT',
    'CRDT',
  ]);
  expect(booked).toContain('<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>');
  expect(booked).toContain('<TtlChrgsAndTaxAmt Ccy="USD">0.50</TtlChrgsAndTaxAmt>');
  const table = (await resultOf(user.as, draft.batch_id, 'result.csv')).split('\r\n');
  expect(table).toHaveLength(6);
  expect(table[0]).toMatch(/^line,reference,payee,account,amount,currency,fee,note,status,/);
  expect(table[1]).toMatch(/^1,"'=SUM\(1\+1\)",.*,10\.00,USD,0\.50,"'@cmd",COMPLETED,itm_/);
  expect(table[2]).toMatch(/,FAILED,itm_.*,AC01,/);
  expect(table[3]).toMatch(/,RETURNED,itm_.*,AC04,/);
  const stranger = await h.user();
  const params = { batch_id: draft.batch_id };
  expect((await h.call('GET /batches/{batch_id}/pain.002', { as: stranger, params }))[0]).toBe(404);
});
