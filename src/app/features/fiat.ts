import { verifiedNameOf } from '#features/accounts/verification/verification.ts';
import { createBankLink } from '#features/fiat/bank-link/bank-link.ts';
import { type CardMoney, createCards } from '#features/fiat/cards/cards.ts';
import { createFeeSettings } from '#features/fiat/fee-settings/fee-settings.ts';
import { createFees } from '#features/fiat/fees/fees.ts';
import {
  createFiatWallets,
  type FiatWalletDeps,
} from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { createFx } from '#features/fiat/fx/fx.ts';
import type { createPayouts } from '#features/fiat/payouts/payouts.ts';
import { createWalletStatements } from '#features/fiat/wallet-statements/wallet-statements.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Providers } from '../providers.ts';

/** Features that move money for others as well. */
export interface FiatParts {
  readonly cardMoney: CardMoney;
  readonly payouts: ReturnType<typeof createPayouts>;
}

/** Money in currencies. */
export function fiatFeatures(
  kernel: Kernel,
  { bankLink, fx }: Providers,
  { cardMoney, payouts, holds }: FiatParts & Pick<FiatWalletDeps, 'holds'>,
): Feature[] {
  return [
    createFiatWallets({ ...kernel, holds }),
    createWalletStatements({ ...kernel, verifiedNameOf }),
    createCards(kernel, cardMoney),
    createBankLink({ ...kernel, bankLink, verifiedNameOf }),
    createFx({ ...kernel, fx }),
    createFeeSettings(kernel),
    createFees(),
    payouts,
  ];
}
