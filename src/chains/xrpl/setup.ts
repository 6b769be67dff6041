import { randomUUID } from 'node:crypto';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Logger } from '#kernel/log.ts';
import type { Connection } from './connection.ts';
import { USDC_CODE, wholeUnitsOf } from './currency.ts';
import type { XrplKeys } from './keys.ts';
import type { XrplLedgerSender } from './sender.ts';
import { AccountInfo, AccountLines } from './wire.ts';

/** The platform's. */
export interface XrplAddresses {
  readonly issuer: string;
  readonly platform: string;
  /** As the ledger has it: 160 bits in hex. */
  readonly currency: string;
}

/** What the sandbox does for addresses on its own ledger. */
export interface SandboxHelp {
  /** Coins for an account, which they open. */
  fund(address: string): Promise<Outcome<void>>;
  /** An account and a trust line for our USDC. */
  trust(address: string): Promise<Outcome<void>>;
}

interface SetupDeps {
  readonly connection: Connection;
  readonly keys: () => Promise<XrplKeys>;
  readonly sender: XrplLedgerSender;
  readonly sandbox: SandboxHelp | undefined;
  readonly log: Logger;
}

const ASF_DEFAULT_RIPPLE = 8;
const LSF_DEFAULT_RIPPLE = 0x0080_0000;
/** Fewer than 15 digits with the decimals, so that no sum of ours is ever rounded by the ledger. */
const TRUST_LIMIT = '900000000';

/** Finds the platform's accounts as they have to be, or makes them so: funded, rippling, trusting. */
export async function prepareAccounts(deps: SetupDeps): Promise<Outcome<XrplAddresses>> {
  const { issuer, platform } = await deps.keys();
  const ofIssuer = await funded(deps, issuer.classicAddress);
  if (ofIssuer.kind !== 'done') return ofIssuer;
  const ofPlatform = await funded(deps, platform.classicAddress);
  if (ofPlatform.kind !== 'done') return ofPlatform;
  const addresses = {
    issuer: issuer.classicAddress,
    platform: platform.classicAddress,
    currency: USDC_CODE,
  };
  const steps = [
    async () =>
      (ofIssuer.value.flags & LSF_DEFAULT_RIPPLE) === 0 ? ripple(deps) : done(undefined),
    () => trust(deps, addresses),
  ];
  for (const step of steps) {
    const taken = await step();
    if (taken.kind !== 'done') return taken;
  }
  return done(addresses);
}

interface AccountState {
  readonly flags: number;
  /** Millionths of an XRP. */
  readonly drops: bigint;
  /** The address of another key that signs for it. */
  readonly regularKey?: string | undefined;
}

async function funded(deps: SetupDeps, address: string): Promise<Outcome<AccountState>> {
  const found = await readAccount(deps.connection, address);
  if (found.kind !== 'done') return found;
  if (found.value !== undefined) return done(found.value);
  if (!deps.sandbox) {
    deps.log.error({ address }, 'An account of the platform on the XRP Ledger has no XRP: fund it');
    return unknown(`${address} is not funded`);
  }
  const given = await deps.sandbox.fund(address);
  if (given.kind !== 'done') return given;
  const again = await readAccount(deps.connection, address);
  if (again.kind !== 'done') return again;
  return again.value === undefined ? unknown(`${address} was not funded`) : done(again.value);
}

/** Others may hold what the issuer issues, and pay each other with it. */
const ripple = ({ sender }: SetupDeps) =>
  sender.send({
    // A name of its own each time: it may have to be done again, on another ledger.
    reference: `xrpl-ripple:${randomUUID()}`,
    purpose: 'set up issuer',
    from: 'issuer',
    fields: { TransactionType: 'AccountSet', SetFlag: ASF_DEFAULT_RIPPLE },
  });

async function trust(
  { connection, sender }: SetupDeps,
  { issuer, platform, currency }: XrplAddresses,
): Promise<Outcome<unknown>> {
  const line = await readLine(connection, platform, issuer);
  if (line.kind !== 'done' || line.value !== undefined) return line;
  return sender.send({
    reference: `xrpl-trust:${randomUUID()}`,
    purpose: 'open trust line',
    from: 'platform',
    fields: {
      TransactionType: 'TrustSet',
      LimitAmount: { currency, issuer, value: TRUST_LIMIT },
    },
  });
}

/** Nothing where there is no such account. */
export async function readAccount(
  connection: Connection,
  account: string,
): Promise<Outcome<AccountState | undefined>> {
  const reply = await connection.ask(AccountInfo, 'account_info', {
    account,
    ledger_index: 'validated',
  });
  if ('lost' in reply) return unknown(reply.lost);
  if ('error' in reply)
    return reply.error === 'actNotFound' ? done(undefined) : unknown(reply.error);
  const { Flags: flags, Balance, RegularKey: regularKey } = reply.result.account_data;
  return done({ flags, drops: BigInt(Balance), regularKey });
}

/** An address's line for our USDC: what it holds and may hold, in millionths. */
export async function readLine(
  connection: Connection,
  account: string,
  issuer: string,
): Promise<Outcome<{ readonly balance: bigint; readonly limit: bigint } | undefined>> {
  const reply = await connection.ask(AccountLines, 'account_lines', {
    account,
    peer: issuer,
    ledger_index: 'validated',
  });
  if ('lost' in reply) return unknown(reply.lost);
  if ('error' in reply)
    return reply.error === 'actNotFound' ? done(undefined) : unknown(reply.error);
  const line = reply.result.lines.find(({ currency }) => currency === USDC_CODE);
  if (line === undefined || Number(line.limit) === 0) return done(undefined);
  return done({ balance: wholeUnitsOf(line.balance), limit: wholeUnitsOf(line.limit) });
}
