import { run } from '#kernel/db/db.ts';
import type { PayoutEnd } from '#sandbox/providers/gateway/simulated-payouts.ts';
import { batchMaker } from './batches.ts';
import { flowsOf, rampUser } from './cardano-ramps.ts';
import { converting } from './conversions.ts';
import { gatewayOf } from './gateway-controls.ts';
import type { Body, Harness } from './harness.ts';
import { tokenUser } from './idr-token.ts';
import { invoicesOf } from './invoices.ts';
import { ramps } from './ramps.ts';
import { bankRefunds } from './refunds.ts';
import { fund, walletOn } from './wallets.ts';
import { withdrawer } from './withdrawals.ts';

/** A pay-out in flight, and its owner's view after the bank has sent it back. */
export interface SentPayout {
  readonly reference: string;
  /** Its owner's balance, as text: the same as before the flow if it came back. */
  shown(): Promise<unknown>;
  /** Its status after the bank has sent it back. */
  readonly returned: unknown;
}

/** One of each feature that pays out; for tests. */
export function payersOf(h: Harness) {
  const xrpl = ramps(h);
  return {
    async xrpl(): Promise<SentPayout> {
      const { as, before, reference } = await xrplPayout(h);
      return { reference, returned: before, shown: () => xrpl.usdcOf(as) };
    },
    async cardano(): Promise<SentPayout> {
      const { user, reference } = await cardanoPayout(h);
      const shown = async () => (await flowsOf(h, user)).map(({ given_back }) => given_back);
      return { reference, returned: ['WALLET'], shown };
    },
    async conversions(): Promise<SentPayout> {
      const { user, reference } = await conversion(h);
      return { reference, returned: { posted: 100_000_000n, held: 0n }, shown: user.wallet };
    },
    async withdrawals(): Promise<SentPayout> {
      const user = await withdrawer(h, 'IDR', 20_000_000n);
      const [, { data }] = await user.withdraw('100000');
      const shown = async () => (await user.read(data.withdrawal_id)).status;
      return { reference: data.withdrawal_id, returned: 'RETURNED', shown };
    },
    async batches(): Promise<SentPayout> {
      const user = await batchMaker(h, 'IDR', 20_000_000n);
      const id = await user.approved(user.lines('100000'));
      await h.drain();
      const one = async () => (await user.items(id))[0] ?? {};
      const shown = async () => (await one())['status'];
      return { reference: (await one())['item_id'], returned: 'RETURNED', shown };
    },
    async 'invoice-refunds'(): Promise<SentPayout> {
      const refunds = bankRefunds(h);
      const as = await h.user();
      const { invoice_id } = await refunds.paid(as);
      const recipient_id = await refunds.recipient(as);
      const [, { data }] = await invoicesOf(h).refund(as, invoice_id, { recipient_id });
      const shown = async () => (await refunds.one(as, invoice_id, data.refund_id))['status'];
      return { reference: data.refund_id, returned: 'FAILED', shown };
    },
    async 'idr-token'(): Promise<SentPayout> {
      const { user, reference } = await redemption(h);
      const shown = async () =>
        (await user.status('offramp', reference))[1].data.bankTransferStatus;
      return { reference, returned: 'RETURNED', shown };
    },
  };
}

/** The status of a pay-out in our books. */
export async function payoutState(h: Harness, reference: string): Promise<string | undefined> {
  const text = 'select state from payouts where reference = $1';
  return (await run<{ state: string }>(h.db, text, [reference]))[0]?.state;
}

/** The bank's steps with it, in order, with all jobs that follow. */
export async function bankEnd(h: Harness, reference: string, ...ends: PayoutEnd[]): Promise<Body> {
  let last: Body = {};
  for (const end of ends) {
    last = await gatewayOf(h).end(reference, end);
    await h.drain();
  }
  return last;
}

export async function xrplPayout(h: Harness) {
  const xrpl = ramps(h);
  const as = await h.user();
  await xrpl.fund(as, 'USD', 10_000n);
  await xrpl.on(as, { fiat_currency: 'USD', fiat_amount: 50 });
  const before = await xrpl.usdcOf(as);
  const bank = { bank_name: 'BCA', account_number: '1234567890', account_name: 'Siti Rahma' };
  const wish = { usdc_amount: 10, target_fiat: 'IDR', payout_type: 'BANK', destination_bank: bank };
  const [status, { data }] = await xrpl.off(as, wish);
  if (status !== 200) throw new Error(`Not paid out: ${status}`);
  const { id } = data.xrpl_tx;
  const [row] = await run<{ operation: string }>(
    h.db,
    'select operation from xrpl_transactions where id = $1',
    [id],
  );
  return { as, before, id, reference: `${row?.operation}-payout` };
}

export async function cardanoPayout(h: Harness) {
  const user = await rampUser(h, undefined, '100');
  await tokenUser(h, user.as).bank();
  const [, body] = await user.ramp('wallet-offramp-bank', { currency_to: 'IDR' });
  return { user, reference: body.bankTx.transaction_id as string };
}

export async function conversion(h: Harness) {
  const user = await converting(h);
  const [status, { data }] = await user.start(400_000);
  if (status !== 200) throw new Error(`Not started: ${status}`);
  return { user, job_id: data.job_id as number, reference: data.reference_id as string };
}

export async function redemption(h: Harness) {
  const user = tokenUser(h, await h.user());
  const [wallet] = await walletOn(h, user.as, 'amoy');
  const walletAddress = wallet?.wallet_address ?? '';
  await fund(h, 'amoy', walletAddress, 'IDRT', '50000');
  const burn = { asset: 'IDRT', from: walletAddress, amount: '50000' };
  const { tx_hash: burnTxHash } = await h.sandbox('POST', '/chains/amoy/burn', burn);
  const wish = { burnTxHash, walletAddress, amount: '50000', bankId: await user.bank() };
  const [status, body] = await user.offramp(wish);
  if (status !== 200) throw new Error(`Not redeemed: ${JSON.stringify(body)}`);
  await h.drain();
  return { user, reference: body.data.referenceId as string };
}
