import type { Outcome } from '#kernel/provider-call.ts';
import type { GatewayPayment, PaymentRequest, PayoutRequest } from '#providers/gateway/port.ts';
import { xendit } from '#providers/gateway/xendit.ts';
import type { PayoutEnd } from '#sandbox/providers/gateway/simulated-payouts.ts';
import { xenditSimulator } from '#sandbox/providers/gateway/xendit-simulator.ts';
import { testSandbox } from './sandbox.ts';

const KEY = 'test-gateway-key';
const TOKEN = 'test-callback-token';

let references = 0;
/** Each call makes a new one. */
export const newReference = (prefix: string): string => {
  references += 1;
  return `${prefix}-1763800000000-${references}`;
};

export function payoutWish(reference = newReference('REDEEM')): PayoutRequest {
  const to = { bankCode: 'BCA', accountNumber: '1234567890', accountName: 'Siti Rahma' };
  return { reference, units: 4_500_000n, to, description: 'Redeem' };
}

/** The value of a certain answer; any other fails the test. */
export function doneBy<T>(outcome: Outcome<T>): T {
  if (outcome.kind === 'done') return outcome.value;
  throw new Error(`Not done: ${JSON.stringify(outcome)}`);
}

/** The Xendit-shaped gateway and its simulator, over a real socket. */
export async function testGateway() {
  const credentials = { GATEWAY_KEY: KEY, GATEWAY_CALLBACK_TOKEN: TOKEN };
  const sandbox = await testSandbox(xenditSimulator(credentials));
  const settings = {
    url: () => `${sandbox.url}/gateway`,
    key: KEY,
    callbackToken: TOKEN,
    clock: sandbox.clock,
  };
  const gateway = xendit(settings);

  function wish(fields: Partial<PaymentRequest> = {}): PaymentRequest {
    return {
      reference: newReference('MINT'),
      units: 2_500_000n,
      method: 'QRIS',
      expiresAt: new Date(sandbox.clock.now().getTime() + 86_400_000),
      description: 'Order 1',
      ...fields,
    };
  }

  return {
    sandbox,
    settings,
    gateway,
    wish,
    /** A payment that waits to be paid. */
    async payment(fields: Partial<PaymentRequest> = {}): Promise<GatewayPayment> {
      return doneBy(await gateway.createPayment(wish(fields)));
    },
    pay: (reference: string, amount?: number) =>
      sandbox.control(
        `POST /gateway/payments/${reference}/pay`,
        amount === undefined ? undefined : { amount },
      ),
    expire: (reference: string) => sandbox.control(`POST /gateway/payments/${reference}/expire`),
    endPayout: (reference: string, end: PayoutEnd, body?: object) =>
      sandbox.control(`POST /gateway/payouts/${reference}/${end}`, body),
    arm: (kind: string, times = 1, ms = 20) =>
      sandbox.control('POST /faults', { provider: 'gateway', kind, times, ms }),
    kept: (kind: 'invoice' | 'payout', reference: string) =>
      sandbox.world.records.list('gateway', kind, {
        where: { [kind === 'invoice' ? 'external_id' : 'reference_id']: reference },
      }),
  };
}
