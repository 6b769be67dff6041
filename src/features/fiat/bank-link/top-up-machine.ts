import { requireUser } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { type Machine, machineOf } from '#kernel/effects/saga-machine.ts';
import type { Job } from '#kernel/jobs/job.ts';
import { format } from '#kernel/money/money.ts';
import { done, type Outcome, refused } from '#kernel/provider-call.ts';
import type { PlaidBankAccount, PlaidTransfer } from '#providers/plaid/port.ts';
import type { BankDeps } from './connect.ts';
import { connectionById } from './connection-store.ts';
import { tokenOf } from './tokens.ts';
import { findTopUp, moveTopUp, nameTransfer, type TopUp } from './top-up-store.ts';

/** A top-up until it has a transfer; the transfer's events report the rest. */
export interface Pull {
  readonly top_up_id: string;
  readonly account_id?: string;
  readonly authorization_id?: string;
}

/** The name that an identity check has confirmed, or null. Accounts know it; this domain is below them. */
export interface VerifiedNames {
  verifiedNameOf(db: Db, user_id: number): Promise<string | null>;
}

type Deps = BankDeps & VerifiedNames & { readonly booking: Job<{ transfer_id: string }> };

interface Authorized {
  readonly account_id: string;
  readonly authorization_id: string;
}

const { step, final, machine } = machineOf<Pull>();

/** Authorises a transfer, then requests it; our names identify both there, so that no money is taken twice. */
export const pullMachine = (deps: Deps): Machine<Pull> =>
  machine({
    type: 'bank-top-up',
    initial: 'authorize',
    states: {
      authorize: step({
        call: ({ data }) => authorize(deps, data),
        // The transfer's request needs both names.
        apply: async (_, __, { account_id, authorization_id }) => ({
          account_id,
          authorization_id,
        }),
        next: 'transfer',
        onRefused: 'failed',
      }),
      transfer: step({
        call: ({ data }) => transfer(deps, data),
        lookUp: ({ data }) => deps.bankLink.findTransfer(data.authorization_id ?? ''),
        async apply(tx, { data: { top_up_id } }, { id: transfer_id }) {
          await nameTransfer(tx, top_up_id, transfer_id);
          // Events may have arrived before the transfer had a name here.
          await deps.jobs.enqueue(tx, deps.booking, { transfer_id }, { key: transfer_id });
          return undefined;
        },
        next: 'made',
        onRefused: 'failed',
      }),
      made: final(),
      failed: final(async (tx, { data: { top_up_id } }) => {
        const standing = { status: 'FAILED', failure: 'refused' } as const;
        if (!(await moveTopUp(tx, { top_up_id, status: 'PENDING' }, standing)))
          throw new Error(`${top_up_id} was refused and is not pending`);
        return undefined;
      }),
    },
  });

interface Source {
  readonly row: TopUp;
  readonly token: string;
}

/** Nothing where the user has disconnected the bank meanwhile: then no money is taken from it. */
async function sourceOf({ db, vault }: BankDeps, top_up_id: string): Promise<Source | undefined> {
  const row = await findTopUp(db, top_up_id);
  const connection = row && (await connectionById(db, row.connection_id));
  if (!row || connection?.state !== 'CONNECTED') return undefined;
  const token = tokenOf(vault, connection);
  return token === undefined ? undefined : { row, token };
}

const disconnected = () => refused('ITEM_NOT_FOUND', 'The bank was disconnected');

async function authorize(deps: Deps, { top_up_id }: Pull): Promise<Outcome<Authorized>> {
  const source = await sourceOf(deps, top_up_id);
  if (!source) return disconnected();
  const { db, bankLink } = deps;
  const { row, token } = source;
  const accounts = await bankLink.accounts(token);
  if (accounts.kind !== 'done') return accounts;
  const connection = await connectionById(db, row.connection_id);
  const account = choose(accounts.value, connection?.account_id ?? null);
  if (!account) return refused('NO_ACCOUNT', 'There is no account to take dollars from');
  const authorized = await bankLink.authorize({
    accessToken: token,
    accountId: account.account_id,
    amount: amountOf(row),
    reference: top_up_id,
    legalName: await legalNameOf(deps, row.user_id),
  });
  if (authorized.kind !== 'done') return authorized;
  return done({ account_id: account.account_id, authorization_id: authorized.value });
}

async function legalNameOf({ db, verifiedNameOf }: Deps, user_id: number): Promise<string> {
  const verified = await verifiedNameOf(db, user_id);
  return verified ?? (await requireUser(db, { user_id }, user_id)).username;
}

/** The account that the user chose, else the first that pays by ACH. */
function choose(
  accounts: readonly PlaidBankAccount[],
  wanted: string | null,
): PlaidBankAccount | undefined {
  const able = accounts.filter(
    ({ type, balances }) =>
      type === 'depository' && (balances.iso_currency_code ?? 'USD') === 'USD',
  );
  return able.find(({ account_id }) => account_id === wanted) ?? able[0];
}

async function transfer(
  deps: BankDeps,
  { top_up_id, account_id = '', authorization_id = '' }: Pull,
): Promise<Outcome<PlaidTransfer>> {
  const source = await sourceOf(deps, top_up_id);
  if (!source) return disconnected();
  return deps.bankLink.createTransfer({
    accessToken: source.token,
    accountId: account_id,
    amount: amountOf(source.row),
    authorizationId: authorization_id,
    reference: top_up_id,
  });
}

const amountOf = ({ amount }: TopUp): string => format({ asset: 'USD', units: amount });
