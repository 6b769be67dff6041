import type { SandboxHelp } from '#chains/xrpl/setup.ts';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';

const OPENING_XRP = '1000';
const TIMEOUT_MS = 10_000;

/** The sandbox's controls for its own ledger, from whichever process needs them. */
export function sandboxHelp(sandboxUrl: () => string): SandboxHelp {
  async function post(path: string, body: object): Promise<Outcome<void>> {
    try {
      const reply = await fetch(`${sandboxUrl()}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return reply.ok ? done(undefined) : unknown(`The sandbox answered ${reply.status}`);
    } catch {
      return unknown('The sandbox is away');
    }
  }
  return {
    fund: (address) =>
      post('/faucet', { chain: 'xrpl', address, asset: 'native', amount: OPENING_XRP }),
    trust: (address) => post('/xrpl/trust-lines', { address }),
  };
}
