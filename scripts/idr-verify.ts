import type { App } from '../src/app/app.ts';
import {
  compareSupplies,
  differs,
  idrDeps,
  supplyInWords,
} from '../src/features/ramps/idr-token/idr-token.ts';
import { besideService } from './beside.ts';

/**
 * Compares the rupiah tokens on every chain with the rupiah behind them, beside the running service or
 * without it. Ends with 1 if they differ, or if a chain could not be read.
 */

await besideService(verify);

async function verify({ kernel, evm, providers }: App): Promise<void> {
  const { gateway, tokenVendor } = providers;
  const deps = idrDeps({ ...kernel, evm, gateway, tokenVendor });
  const compared = await compareSupplies(deps, true);
  for (const one of compared)
    console.log(JSON.stringify({ ...supplyInWords(one), differs: differs(one) }));
  const expected = deps.issuer.backedOn.length + 1;
  if (compared.some(differs) || compared.length < expected) process.exitCode = 1;
}
