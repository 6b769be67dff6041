import { isHttps } from './public-url.ts';

type Word<W extends string> = W | undefined;
interface Given {
  readonly NODE_ENV?: Word<'development' | 'test' | 'production'>;
  readonly ROLE?: Word<'api' | 'worker' | 'all'>;
  readonly DB_PREPARED?: boolean;
  readonly DATABASE_DIRECT_URL?: string;
  readonly LOG_LEVEL?: Word<'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'>;
  readonly PROFILE_OTP?: Word<'required' | 'off'>;
  readonly REWARDS_LOGIN_CODE?: Word<'required' | 'off'>;
  readonly BURN_WITH_PRIVATE_KEY?: Word<'on' | 'off'>;
  readonly WEBHOOK_PRIVATE?: Word<'allow' | 'refuse'>;
  readonly PUBLIC_URL?: string;
  readonly CONSOLE?: Word<'on' | 'off'>;
  readonly OPS_PUBLIC?: Word<'on' | 'off'>;
  readonly OPERATOR_2FA?: Word<'required' | 'optional'>;
  readonly CONSOLE_2FA?: Word<'required' | 'optional'>;
  readonly SECOND_PERSON_DAYS?: number;
}

/** Those whose default hangs on others. */
export function withDefaults(
  given: Given,
  { production, MOCK_MODE }: { readonly production: boolean; readonly MOCK_MODE: boolean },
) {
  return {
    MOCK_MODE,
    NODE_ENV: given.NODE_ENV ?? 'development',
    ROLE: given.ROLE ?? 'all',
    DB_PREPARED: given.DB_PREPARED ?? given.DATABASE_DIRECT_URL === undefined,
    LOG_LEVEL: given.LOG_LEVEL ?? 'info',
    PROFILE_OTP: given.PROFILE_OTP ?? (MOCK_MODE ? 'off' : 'required'),
    REWARDS_LOGIN_CODE: given.REWARDS_LOGIN_CODE ?? (production ? 'required' : 'off'),
    BURN_WITH_PRIVATE_KEY: given.BURN_WITH_PRIVATE_KEY ?? (production ? 'off' : 'on'),
    WEBHOOK_PRIVATE: given.WEBHOOK_PRIVATE ?? (production ? 'refuse' : 'allow'),
    CONSOLE: given.CONSOLE ?? (production && !isHttps(given.PUBLIC_URL) ? 'off' : 'on'),
    OPS_PUBLIC: given.OPS_PUBLIC ?? (production ? 'off' : 'on'),
    SECOND_PERSON_DAYS: given.SECOND_PERSON_DAYS ?? (MOCK_MODE ? 0 : 7),
    // CONSOLE_2FA is what it was called while it held at the console alone.
    OPERATOR_2FA: given.OPERATOR_2FA ?? given.CONSOLE_2FA ?? (production ? 'required' : 'optional'),
  } as const;
}
