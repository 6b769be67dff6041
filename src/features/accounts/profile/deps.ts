import type { PasswordGuesses } from '#features/accounts/password-guesses/password-guesses.ts';
import type { LoginCodes } from '#features/accounts/two-factor/two-factor.ts';
import type { AddressDeps } from '#features/accounts/users/users.ts';
import type { Files } from '#features/messaging/files/files.ts';
import type { Attempts } from '#kernel/access/attempts.ts';
import type { Claimant } from '#kernel/access/password-proof.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ClosingCheck } from '#kernel/person-data/closing-check.ts';
import type { PersonData } from '#kernel/person-data/person-table.ts';

export type ProfileFeatureDeps = AddressDeps &
  Pick<Kernel, 'db' | 'vault' | 'passwords' | 'sessions' | 'credentials' | 'jobs'> & {
    readonly attempts: Attempts;
    readonly guesses: PasswordGuesses;
    readonly codes: LoginCodes;
    /** Whether it is a code of the user's second factor that was not used before, and is now. */
    takeCode(tx: Db, claimant: Claimant, code: string): Promise<boolean>;
    readonly files: Pick<Files, 'hold' | 'keep' | 'read' | 'remove'>;
    /** What all features hold of people. */
    personData(): readonly PersonData[];
    /** What has to end before an account is closed, of all features. */
    closingChecks(): readonly ClosingCheck[];
  };
