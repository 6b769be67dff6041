import { createActivity } from '#features/activity/activity.ts';
import { createAdmins } from '#features/admins/admins.ts';
import { createBankLink } from '#features/bank-link/bank-link.ts';
import { createCardano, hearPayout } from '#features/cardano/cardano.ts';
import { createCardMoney, createCards } from '#features/cards/cards.ts';
import { createClients, verifyCompany } from '#features/clients/clients.ts';
import { createConversions, owedToBanks } from '#features/conversions/conversions.ts';
import { createCrosschain } from '#features/crosschain/crosschain.ts';
import {
  createCryptoWallets,
  openWalletOnApproval,
  userSigners,
} from '#features/crypto-wallets/crypto-wallets.ts';
import { createExchangeWallets } from '#features/exchange-wallets/exchange-wallets.ts';
import { createExternalLogin } from '#features/external-login/external-login.ts';
import { createFeeSettings } from '#features/fee-settings/fee-settings.ts';
import { createFiatWallets, openFirstWallet } from '#features/fiat-wallets/fiat-wallets.ts';
import { createFx } from '#features/fx/fx.ts';
import {
  createIdrToken,
  payoutAccountOf,
  purchasesUnderWay,
  redemptionsUnderWay,
} from '#features/idr-token/idr-token.ts';
import { createInstances } from '#features/instances/instances.ts';
import { createKeys } from '#features/keys/keys.ts';
import { createMessages } from '#features/messages/messages.ts';
import { createOnchain } from '#features/onchain/onchain.ts';
import { createPartnerCustomers } from '#features/partner-customers/partner-customers.ts';
import { createPasswordGuesses } from '#features/password-guesses/password-guesses.ts';
import { createPendingChanges } from '#features/pending-changes/pending-changes.ts';
import { createPspCustomers } from '#features/psp-customers/psp-customers.ts';
import { createReconciliation } from '#features/reconciliation/reconciliation.ts';
import { createRetention } from '#features/retention/retention.ts';
import { createRewards } from '#features/rewards/rewards.ts';
import { createSecurityNotices } from '#features/security-notices/security-notices.ts';
import { createSessions } from '#features/sessions/sessions.ts';
import { createSignIn } from '#features/sign-in/sign-in.ts';
import { createTokens } from '#features/tokens/tokens.ts';
import { createTwoFactor } from '#features/two-factor/two-factor.ts';
import { activate, createUsers } from '#features/users/users.ts';
import { createVerification } from '#features/verification/verification.ts';
import { createWalletSpending } from '#features/wallet-spending/wallet-spending.ts';
import { createXrpl } from '#features/xrpl/xrpl.ts';
import { createAttempts } from '#kernel/access/attempts.ts';
import { createSendings } from '#kernel/access/sending.ts';
import { createSignUps } from '#kernel/access/sign-ups.ts';
import type { Db } from '#kernel/db/db.ts';
import { type Composition, composeFeatures, type Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Providers } from './providers.ts';
import { createWaysIn } from './ways-in.ts';

/** Everything the features bring along. */
export interface Features extends Composition {
  /** What every new user gets, in the transaction that makes them. */
  afterUser(tx: Db, user: { user_id: number; client_id: number }): Promise<void>;
}

/** The composition of all features, and `more`: each is handed what it needs and nothing else. */
export function createFeatures(
  kernel: Kernel,
  providers: Providers,
  more: readonly Feature[] = [],
): Features {
  const { config, budgets, db, vault } = kernel;
  const { evm, fx, cctp, identity, partner } = providers;
  const attempts = createAttempts(kernel);
  const sendings = createSendings(config, budgets);
  const signUps = createSignUps(config, budgets);
  const messages = createMessages({ ...kernel, ...providers, sendings });
  const guesses = createPasswordGuesses({ ...kernel, attempts, messages });
  const notices = createSecurityNotices({ ...kernel, messages });
  const pspCustomers = createPspCustomers({ ...kernel, pspA: providers.pspA });
  const waysIn = createWaysIn(kernel, { attempts, messages, guesses, notices });
  const access = { ...kernel, ...waysIn, signUps };
  const accounts = { ...access, pspCustomers };
  const cardMoney = createCardMoney({ ...kernel, attempts, network: providers.cards });
  const chains = { ...kernel, evm, fx };
  const composition: Composition = composeFeatures([
    createActivity(),
    messages,
    guesses,
    notices,
    pspCustomers,
    createRetention(kernel),
    createCards(kernel, cardMoney),
    createReconciliation({ ...kernel, rails: () => composition.rails }),
    createBankLink({ ...kernel, bankLink: providers.bankLink }),
    createFiatWallets(kernel),
    createCryptoWallets(chains),
    createTokens(chains),
    createCrosschain({ ...kernel, evm, cctp, signersOf: userSigners(db, vault) }),
    createExchangeWallets(),
    createConversions({
      ...{ ...kernel, gateway: providers.gateway, exchange: providers.exchange },
      underWay: [
        { goingOut: redemptionsUnderWay, comingIn: purchasesUnderWay },
        { goingOut: owedToBanks(['xrpl-payouts', 'cardano-owed']), comingIn: async () => 0n },
      ],
    }),
    createFeeSettings(kernel),
    createFx({ fx }),
    createIdrToken({
      ...kernel,
      evm,
      gateway: providers.gateway,
      hearPayout: (news) => hearPayout(kernel, news),
    }),
    createCardano({
      ...kernel,
      fx,
      cardano: providers.cardano,
      cards: cardMoney.pulls,
      gateway: providers.gateway,
      payoutAccountOf,
    }),
    createOnchain(chains),
    createWalletSpending(),
    createKeys(kernel),
    createSignIn(access),
    createTwoFactor(access),
    createPendingChanges(access),
    createSessions(kernel),
    createRewards(access),
    createClients(accounts),
    createInstances(),
    createUsers({ ...accounts, fx }),
    createAdmins(accounts),
    createVerification({
      ...kernel,
      identity,
      onKyc: pspCustomers.tellKyc,
      onCompany: verifyCompany,
      async onApproved(tx, user_id) {
        await activate(tx, user_id);
        await openWalletOnApproval(tx, user_id);
      },
    }),
    createPartnerCustomers({ ...kernel, partner }),
    createExternalLogin({
      ...access,
      external: providers.externalLogin,
      afterUser: openFirstWallet,
    }),
    createXrpl({ ...kernel, ...providers }),
    ...more,
  ]);
  return { ...composition, afterUser: openFirstWallet };
}
