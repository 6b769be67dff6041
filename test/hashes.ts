import type { Kernel } from '#kernel/kernel.ts';

/** The lowest cost; src/kernel/secrets/password.test.ts checks the service's own. */
export const TEST_COST = { memoryCost: 8, timeCost: 1 };

const hashes = new Map<string, Promise<string>>();

/** Hashing is slow on purpose; files that share a process share the hashes of the same passwords. */
export function hashOf(password: string, { passwords }: Kernel): Promise<string> {
  const known = hashes.get(password) ?? passwords.hash(password);
  hashes.set(password, known);
  return known;
}
