import { expect, test } from 'vitest';
import { batchMaker } from '#test/batches.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { faultsOf } from '#test/iso20022/validate.ts';

const h = await harness();
await h.drain();

const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];

async function posted(
  as: Person,
  path: string,
  { type, bytes }: { type: string; bytes: string | Buffer },
): Promise<[number, Body]> {
  const reply = await fetch(`${h.app.apiUrl()}${path}`, {
    method: 'POST',
    headers: {
      'x-api-key': h.key,
      authorization: `Bearer ${as.token}`,
      'content-type': type,
    },
    body: typeof bytes === 'string' ? bytes : new Uint8Array(bytes),
  });
  return [reply.status, (await reply.json()) as Body];
}

const user = await batchMaker(h, 'USD', 100_000n);
const table = (bytes: string, at = `?source_wallet_id=${user.wallet_id}&name=Table`) =>
  posted(user.as, `/batches${at}`, { type: 'text/csv', bytes });

test('a table with a byte order mark, quotes, CRLF and semicolons is a batch', async () => {
  const text = [
    '\ufeffname;kind;country;currency;bank_code;account_number;amount;reference;note',
    '"Miller; ""Jane""";bank;US;USD;021000021;123456789;10.50;csv-1;"two',
    'lines are no note"',
    'Jones;bank;US;USD;021000021;987654321;5;csv-2;=SUM(A1)',
    '',
    '',
  ].join('\r\n');
  const [status, { data }] = await table(text);
  expect([status, data]).toMatchObject([201, { name: 'Table', count: 1, total: '5.00' }]);
  expect(data.errors).toMatchObject([{ line: 2, field: 'note' }]);
  const good = text.replace('two\r\nlines are no note', 'fine');
  const [, { data: next }] = await table(good);
  expect(next).toMatchObject({ count: 2, total: '15.50', errors: [] });
  const items = await user.items(next.batch_id);
  expect(items.map((one) => [one.line, one.recipient.name, one.reference])).toEqual([
    [2, 'Miller; "Jane"', 'csv-1'],
    [3, 'Jones', 'csv-2'],
  ]);
});

test('a table by recipients, and every bad row by its line', async () => {
  const { recipient_id: id } = user;
  const text = `recipient_id,amount,reference\n${id},10,a\n${id},x,b\n${id},1\n"${id}"x,1,c\n,1,d\n${id},2,a\n`;
  const [status, { data }] = await table(text);
  expect(status).toBe(201);
  expect(data.errors.map(({ line, field }: Body) => `${line} ${field}`)).toEqual([
    '3 amount',
    '4 row',
    '5 row',
    '6 recipient_id',
    '7 reference',
  ]);
  expect(data.count).toBe(1);
});

test('what is no table as a whole is refused, and nothing is stored', async () => {
  const count = async () => (await h.call('GET /batches', { as: user.as }))[1].data.items.length;
  const before = await count();
  const row = `${user.recipient_id},1\n`;
  const whole = [
    'recipient_id,amount,colour\nx,1,red\n',
    'recipient_id,amount,amount\nx,1,2\n',
    'recipient_id\nx\n',
    'recipient_id,amount\n',
    '',
    `recipient_id,amount\n"${row}`,
    `recipient_id,amount\n${row.repeat(10_001)}`,
    `recipient_id,amount\n${'y'.repeat(2_001)},1\n`,
  ];
  for (const text of whole) expect(codeOf(await table(text))).toEqual([400, 'VALIDATION_ERROR']);
  const latin = Buffer.from('recipient_id,amount\nM\xfcller,1\n', 'latin1');
  const at = `/batches?source_wallet_id=${user.wallet_id}&name=Table`;
  const sent = (type: string, bytes: string | Buffer) => posted(user.as, at, { type, bytes });
  expect(codeOf(await sent('text/csv', latin))).toEqual([400, 'VALIDATION_ERROR']);
  expect(codeOf(await sent('text/plain', row))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  expect(codeOf(await table('recipient_id,amount\nx,1\n', ''))).toEqual([400, 'VALIDATION_ERROR']);
  const json = { name: 'x', source_wallet_id: user.wallet_id };
  const asJson = (body: object, more = '') =>
    posted(user.as, `/batches${more}`, { type: 'application/json', bytes: JSON.stringify(body) });
  expect(codeOf(await asJson(json))).toEqual([400, 'VALIDATION_ERROR']);
  expect(codeOf(await asJson({ ...json, items: user.lines('1') }, '?name=y'))).toEqual([
    400,
    'VALIDATION_ERROR',
  ]);
  const huge = { ...json, items: [], metadata: { a: 'x'.repeat(5 * 2 ** 20) } };
  expect(codeOf(await asJson(huge))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  expect(await count()).toBe(before);
});

interface Pain {
  readonly message?: string;
  readonly sum?: string;
  readonly count?: string;
  readonly head?: string;
  readonly wallet?: string;
  readonly currency?: string;
}
let serial = 0;

function painOf(version: '03' | '09', given: Pain = {}): string {
  serial += 1;
  const { message = `M${serial}`, sum = '30.50', count = '2', head = '' } = given;
  const { wallet = String(user.wallet_id), currency = 'USD' } = given;
  const day = '2027-01-04';
  const transfer = (id: string, amount: string) => `<CdtTrfTxInf>
    <PmtId><InstrId>I-${id}</InstrId><EndToEndId>${id}</EndToEndId></PmtId>
    <Amt><InstdAmt Ccy="${currency}">${amount}</InstdAmt></Amt>
    <CdtrAgt><FinInstnId><ClrSysMmbId><MmbId>021000021</MmbId></ClrSysMmbId></FinInstnId></CdtrAgt>
    <Cdtr><Nm>Jane &amp; Sons</Nm><PstlAdr><Ctry>US</Ctry></PstlAdr></Cdtr>
    <CdtrAcct><Id><Othr><Id>123456789</Id></Othr></Id></CdtrAcct>
    <RmtInf><Ustrd>Invoice ${id}</Ustrd></RmtInf></CdtTrfTxInf>`;
  return `<?xml version="1.0" encoding="UTF-8"?>${head}
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}"><CstmrCdtTrfInitn>
  <GrpHdr><MsgId>${message}</MsgId><CreDtTm>2026-11-28T10:00:00</CreDtTm><NbOfTxs>${count}</NbOfTxs><CtrlSum>${sum}</CtrlSum>
    <InitgPty><Nm>Shop</Nm></InitgPty></GrpHdr>
  <PmtInf><PmtInfId>P-1</PmtInfId><PmtMtd>TRF</PmtMtd><NbOfTxs>2</NbOfTxs>
    <ReqdExctnDt>${version === '03' ? day : `<Dt>${day}</Dt>`}</ReqdExctnDt>
    <Dbtr><Nm>Shop</Nm></Dbtr><DbtrAcct><Id><Othr><Id>${wallet}</Id></Othr></Id></DbtrAcct>
    <DbtrAgt><FinInstnId>${version === '03' ? '<BIC>BOFAUS3NXXX</BIC>' : '<BICFI>BOFAUS3NXXX</BICFI>'}</FinInstnId></DbtrAgt>
    ${transfer(`E${serial}`, '10.50')}${transfer('NOTPROVIDED', '20')}</PmtInf>
</CstmrCdtTrfInitn></Document>`;
}
const message = (bytes: string) => posted(user.as, '/batches', { type: 'application/xml', bytes });

test.each(['03', '09'] as const)(
  'a pain.001.001.%s is a batch of its transfers',
  async (version) => {
    const xml = painOf(version);
    if (version === '09') expect(faultsOf('pain.001.001.09', xml)).toEqual([]);
    const [status, { data }] = await message(xml);
    expect([status, data]).toMatchObject([
      201,
      {
        name: `M${serial}`,
        wallet_id: user.wallet_id,
        count: 2,
        total: '30.50',
        errors: [],
        // Midnight of New York.
        execute_at: '2027-01-04T05:00:00.000Z',
      },
    ]);
    expect(await user.items(data.batch_id)).toMatchObject([
      { reference: `E${serial}`, note: `Invoice E${serial}`, recipient: { name: 'Jane & Sons' } },
      { reference: `${data.batch_id}-2` },
    ]);
    const params = { batch_id: data.batch_id };
    const report = await h.send('GET /batches/{batch_id}/pain.002', { as: user.as, params });
    expect(String(report.body)).toContain(`<OrgnlMsgId>M${serial}</OrgnlMsgId>`);
    expect(String(report.body)).toContain('<OrgnlPmtInfId>P-1</OrgnlPmtInfId>');
  },
);

test('document types, entities, wrong sums and a message that was taken before are refused', async () => {
  const bomb =
    '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>';
  const refused = async (given: Pain) => codeOf(await message(painOf('09', given)));
  expect(await refused({ head: bomb })).toEqual([400, 'VALIDATION_ERROR']);
  expect(await refused({ head: '<!DOCTYPE a SYSTEM "file:///etc/passwd">' })).toEqual([
    400,
    'VALIDATION_ERROR',
  ]);
  expect(codeOf(await message('<a>'))).toEqual([400, 'VALIDATION_ERROR']);
  expect(codeOf(await message('<Document xmlns="urn:x"/>'))).toEqual([400, 'VALIDATION_ERROR']);
  expect(await refused({ sum: '30.51' })).toEqual([400, 'AMOUNT_MISMATCH']);
  expect(await refused({ count: '3' })).toEqual([400, 'AMOUNT_MISMATCH']);
  expect(await refused({ wallet: '0' })).toEqual([400, 'VALIDATION_ERROR']);
  expect(await refused({ wallet: '2147483647' })).toEqual([404, 'WALLET_NOT_FOUND']);
  const [, { data }] = await message(painOf('09', { currency: 'SGD' }));
  expect(data.errors).toMatchObject([{ field: 'currency' }, { field: 'currency' }]);
  expect((await message(painOf('09', { message: 'once' })))[0]).toBe(201);
  expect(await refused({ message: 'once' })).toEqual([409, 'REFERENCE_IN_USE']);
  const twenty = Array.from({ length: 20 }, () => message(painOf('09', { message: 'at-once' })));
  const statuses = (await Promise.all(twenty)).map(([status]) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
});

test('a file that was sent before is a batch, and stays for as long as that', async () => {
  const bytes = `recipient_id,amount\n${user.recipient_id},10\n`;
  const [, { data: file }] = await posted(user.as, '/files?purpose=batch_import', {
    type: 'text/csv',
    bytes,
  });
  const { file_id } = file;
  const draft = (as: Person, id: string, source_wallet_id = user.wallet_id) =>
    h.call('POST /batches', { as, body: { name: 'File', source_wallet_id, file_id: id } });
  const [status, { data }] = await draft(user.as, file_id);
  expect([status, data]).toMatchObject([201, { name: 'File', count: 1, total: '10.00' }]);
  const other = await batchMaker(h, 'USD', 100n);
  expect(codeOf(await draft(other.as, file_id, other.wallet_id))).toEqual([404, 'NOT_FOUND']);
  const [, { data: evidence }] = await posted(user.as, '/files?purpose=dispute_evidence', {
    type: 'text/csv',
    bytes: `${bytes}\n`,
  });
  expect(codeOf(await draft(user.as, evidence.file_id))).toEqual([400, 'VALIDATION_ERROR']);
  expect(
    codeOf(await h.call('DELETE /files/{id}', { as: user.as, params: { id: file_id } })),
  ).toEqual([409, 'FILE_IN_USE']);
});
