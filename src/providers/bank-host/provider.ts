import type { Config } from '#kernel/config/config.ts';
import type { Provider } from '../provider.ts';
import { bankHost } from './adapter.ts';
import { type BankHost, HOST_CURRENCIES, type HostCurrency } from './port.ts';

/** The bank of mock mode, which pays as it is asked to. */
export interface MockBankHost {
  readonly bankHost: BankHost;
}

export const bankHostProvider: Provider<'bank-host', BankHost, MockBankHost | undefined> = {
  needs: { 'bank-host': ['BANK_HOST_URL', 'BANK_HOST_KEY', 'BANK_HOST_BIC', 'BANK_HOST_ACCOUNTS'] },
  checkSettings: hostAccountsOf,
  open: ({ kernel: { config, clock }, at }) =>
    bankHost({
      url: at(config.BANK_HOST_URL, '/bank-host'),
      key: config.BANK_HOST_KEY,
      clock,
      debtor: { name: config.BANK_HOST_NAME, bic: config.BANK_HOST_BIC },
      accounts: hostAccountsOf(config),
    }),
  offline: ({ mockMode }) => mockMode?.bankHost,
  // A payment stays open: the bank may have taken it before the setting was lost.
  calls: { local: ['currencies'] },
};

/** Our account for each currency, by the settings. Throws where a currency is none of the bank's, or is named twice. */
export function hostAccountsOf({
  BANK_HOST_ACCOUNTS: setting,
}: Pick<Config, 'BANK_HOST_ACCOUNTS'>): ReadonlyMap<HostCurrency, string> {
  const accounts = new Map<HostCurrency, string>();
  for (const place of setting.split(',').filter(Boolean)) {
    const [word = '', account = ''] = place.split(':');
    const currency = HOST_CURRENCIES.find((one) => one === word);
    if (currency === undefined || accounts.has(currency))
      throw new Error(
        `Bad configuration: BANK_HOST_ACCOUNTS has ${word} once at most, of ${HOST_CURRENCIES.join(', ')}`,
      );
    accounts.set(currency, account);
  }
  return accounts;
}
