import type { Kernel } from '#kernel/kernel.ts';

/** The least that there is; src/kernel/secrets/password.test.ts has what the service spends. */
export const TEST_COST = { memoryCost: 8, timeCost: 1 };

const hashes = new Map<string, Promise<string>>();

/** Hashing is slow on purpose; files that share a process share the hashes of the same passwords. */
export function hashOf(password: string, { passwords }: Kernel): Promise<string> {
  const known = hashes.get(password) ?? passwords.hash(password);
  hashes.set(password, known);
  return known;
}
