import { type AppError, wrongField } from '#kernel/error.ts';

/** Why nothing is sent to an address, in the words of the refusal. */
export const FORBIDDEN = {
  /** The money would return to its sender, or mix with the platform's own funds. */
  PLATFORM: 'is the platform’s own',
  /** No key signs for it, so it keeps what it gets. */
  CONTRACT: 'is a contract or script, which keeps what it gets',
  /** Burn addresses, precompiles, reserved accounts, and accounts with a public key pair. */
  NOBODY: 'belongs to no one: what is sent there is lost',
  /** The wallet that pays. */
  SENDER: 'is the wallet that pays',
} as const;
export type Forbidden = keyof typeof FORBIDDEN;

export interface ForbiddenAddress {
  /** As its chain writes it. */
  readonly address: string;
  readonly why: Forbidden;
}

/**
 * Addresses of a network that nothing may be sent to: every send checks this one list. Addresses are in the form
 * of the chain's `typedAddress`.
 */
export interface Destinations {
  /** Why nothing may be sent there; undefined where it may. */
  forbids(address: string): Promise<Forbidden | undefined>;
  /** All that can be listed; `forbids` may know more, such as other forms of the same address. */
  forbidden(): Promise<readonly ForbiddenAddress[]>;
}

export interface Sending {
  /** The field of the request that names the address. */
  readonly field: string;
  /** The address that pays, where paying oneself makes no sense. */
  readonly from?: string | undefined;
  /** Addresses of the list that this way out may pay, such as the contract that takes orders. */
  readonly except?: readonly string[];
  /** Where the endpoint has a refusal of its own; it is given the reason in words. */
  readonly refusal?: (message: string) => AppError;
}

/** Throws VALIDATION_ERROR that names the field, or the given refusal, where nothing may be sent to the address. */
export async function checkDestination(
  on: Pick<Destinations, 'forbids'>,
  address: string,
  { field, from, except = [], refusal }: Sending,
): Promise<void> {
  const why = address === from ? 'SENDER' : await on.forbids(address);
  if (why === undefined || (why !== 'SENDER' && except.includes(address))) return;
  if (refusal) throw refusal(FORBIDDEN[why]);
  throw wrongField(field, FORBIDDEN[why], {
    hint: 'Name an address whose owner can spend from it.',
  });
}

/** A list that never changes. */
export function listed(
  all: () => readonly ForbiddenAddress[] | Promise<readonly ForbiddenAddress[]>,
): Destinations {
  let known: Promise<ReadonlyMap<string, ForbiddenAddress>> | undefined;
  const read = () => {
    known ??= Promise.resolve(all()).then((list) => new Map(list.map((one) => [one.address, one])));
    return known;
  };
  return {
    forbids: async (address) => (await read()).get(address)?.why,
    forbidden: async () => [...(await read()).values()],
  };
}

/** Addresses that are forbidden for one reason. */
export const each = (why: Forbidden, addresses: readonly string[]): ForbiddenAddress[] =>
  addresses.map((address) => ({ address, why }));
