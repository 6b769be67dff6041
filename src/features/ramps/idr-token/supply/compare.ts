import { tokensGivenBy } from '#chains/evm/books/port.ts';
import { chainFault, type EvmChain, readSupply } from '#chains/evm/port.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { balanceOf } from '#kernel/ledger/accounts.ts';
import { format } from '#kernel/money/money.ts';
import type { IdrBase } from '../deps.ts';
import { houseAccounts } from '../legs.ts';
import {
  type Comparison,
  keepFaucet,
  openIdrTokenBreak,
  readReserveSum,
  readSupplySums,
  settleIdrTokenBreak,
} from './store.ts';

type Deps = Pick<IdrBase, 'db' | 'clock' | 'log' | 'evm' | 'issuer'>;

/** Changes between two readings settle within so many. */
const TRIES = 5;

/**
 * Compares the tokens on each chain in use, and the ledger, with the rupiah behind them, from sums that every step
 * keeps, so that no history is read. The sandbox's faucet is counted apart. An unreadable chain is left out and
 * logged; `all` includes chains that are not in use.
 */
export async function compareSupplies(deps: Deps, all = false): Promise<Comparison[]> {
  const compared = [await compareLedger(deps)];
  for (const chain of deps.issuer.backedOn) {
    if (!all && !chain.isRunning()) continue;
    const one = await compareChain(deps, chain).catch((error: unknown) => {
      deps.log.warn({ chain: chain.info.key, err: chainFault(error) }, 'A supply was not read');
      return undefined;
    });
    if (one) compared.push(one);
  }
  return compared;
}

export const differs = ({ least, most, found }: Comparison): boolean =>
  found < least || found > most;

/** Compares them every ten minutes; a difference is stored, and reported once. */
export const supplySchedule = (deps: Deps): Schedule =>
  defineSchedule({
    name: 'idr-token.supply',
    cron: '*/10 * * * *',
    async run() {
      for (const one of await compareSupplies(deps)) await report(deps, one);
    },
  });

async function report({ db, clock, log }: Deps, one: Comparison): Promise<void> {
  const at = clock.now();
  if (!differs(one)) {
    await settleIdrTokenBreak(db, one.subject, at);
    return;
  }
  if (await openIdrTokenBreak(db, one, at))
    log.error(supplyInWords(one), 'Rupiah tokens and rupiah differ');
}

/** For people: found and expected. */
export function supplyInWords({ subject, least, most, found }: Comparison) {
  const text = (units: bigint) => format({ asset: 'IDRT', units });
  return {
    subject,
    found: text(found),
    expected: least === most ? text(least) : `${text(least)} to ${text(most)}`,
  };
}

async function compareLedger({ db }: Deps): Promise<Comparison> {
  const { reserve } = await houseAccounts(db);
  const sums = async () => {
    const sum = await readReserveSum(db);
    return { least: sum, most: sum };
  };
  return compare('ledger', sums, async () => (await balanceOf(db, reserve)).posted);
}

const compareChain = (deps: Deps, chain: EvmChain): Promise<Comparison> =>
  compare(
    chain.info.key,
    () => expected(deps, chain),
    () => readSupply(chain, chain.contracts.idr_token),
  );

type Sums = Pick<Comparison, 'least' | 'most'>;

/** The expected sums are read before and after the found one: a booking meanwhile is in one of the two. */
async function compare(
  subject: string,
  sums: () => Promise<Sums>,
  read: () => Promise<bigint>,
): Promise<Comparison> {
  for (let tried = 1; ; tried += 1) {
    const before = await sums();
    const found = await read();
    const after = await sums();
    const looks = [before, after].map((one) => ({ subject, ...one, found }));
    const fitting = looks.find((look) => !differs(look));
    if (fitting) return fitting;
    if (tried === TRIES) return { subject, ...after, found };
  }
}

async function expected({ db, evm }: Deps, chain: EvmChain): Promise<Sums> {
  const { key } = chain.info;
  const { ours, owed, leaving, faucet, faucet_upto } = await readSupplySums(db, key);
  const given = await faucetUnits({ db, evm }, chain, { units: faucet, upto: faucet_upto });
  return { least: ours + given - leaving, most: ours + given + owed };
}

/** Only chains of our own have a faucet. */
async function faucetUnits(
  { db, evm }: Pick<Deps, 'db' | 'evm'>,
  chain: EvmChain,
  counted: { readonly units: bigint; readonly upto: number },
): Promise<bigint> {
  if (!chain.isEmbedded) return 0n;
  const { address } = evm.keys.faucet;
  const { units, settled } = await tokensGivenBy(db, chain, address, counted);
  if (settled.upto > counted.upto) await keepFaucet(db, chain.info.key, settled);
  return units;
}
