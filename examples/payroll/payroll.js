import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Archipay } from '@archipay/sdk';

const apiKey = process.env.ARCHIPAY_API_KEY ?? `ak_demo_${'0'.repeat(64)}`;
const [table = 'salaries.csv'] = process.argv.slice(2);

async function loggedIn(usernameoremail, password) {
  const archipay = new Archipay({ apiKey });
  const { data } = await archipay.auth.logIn({ usernameoremail, password });
  return archipay.as(data.token);
}

const payer = await loggedIn('admin@demo.example', 'Admin-demo-1');

/** Another admin of the company: one person cannot submit and approve. */
async function approver() {
  const username = `approver-${randomUUID()}`;
  const email = `${username}@demo.example`;
  const made = await payer.admins.createUser({
    client_id: 2,
    username,
    email,
    phone: '+12025550143',
    country_code: 'US',
    role: 'admin',
  });
  return loggedIn(email, made.temp_password);
}

/** The company's rupiah, with the money of a test card. */
async function fundedWallet() {
  const { data: wallet } = await payer.fiatWallets.open({ currency: 'IDR' });
  const card = { card_number: '4111111111111111', expiry_date: '1239' };
  await payer.cards.topUpCurrency({ ...card, amount: '600000', currency_code: 'IDR' });
  return wallet.wallet_id;
}

const colleague = await approver();
const source_wallet_id = await fundedWallet();
const { data: file } = await payer.files.send({
  purpose: 'batch_import',
  name: table,
  body: await readFile(table),
  content_type: 'text/csv',
});
const { data: draft } = await payer.batches.create({
  name: 'Salaries',
  source_wallet_id,
  file_id: file.file_id,
});
for (const error of draft.errors) console.log('line', error.line, error.field, error.message);
if (draft.count === 0) {
  console.log('there is nothing to pay');
  process.exit();
}
console.log('to pay', draft.total, 'to', draft.count, 'and fees of', draft.fees);

const { batch_id, version, content_hash } = draft;
await payer.batches.submit({ batch_id, version, content_hash });
const { data: read } = await colleague.batches.get({ batch_id });
await colleague.batches.approve({
  batch_id,
  version: read.version,
  content_hash: read.content_hash,
});

const running = ['PENDING_APPROVAL', 'SCHEDULED', 'PROCESSING'];
let batch = read;
while (running.includes(batch.status)) {
  await pause(200);
  batch = (await payer.batches.get({ batch_id })).data;
}
console.log('the batch is', batch.status, 'and has paid', batch.completed_total);
for await (const item of payer.batches.listItems({ batch_id }))
  console.log(item.recipient.name, item.amount, item.status);
