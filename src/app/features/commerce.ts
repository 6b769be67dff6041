import { createAgent } from '#features/commerce/agent/agent.ts';
import { createInvoices } from '#features/commerce/invoices/invoices.ts';
import { createMarketplace } from '#features/commerce/marketplace/marketplace.ts';
import { createMcpServer, type createTools } from '#features/commerce/mcp-server/mcp-server.ts';
import { createPurchases } from '#features/commerce/purchases/purchases.ts';
import type { Files } from '#features/messaging/files/files.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { type Providers, takesPayments } from '../providers.ts';
import type { BankingParts } from './banking.ts';
import type { FiatParts } from './fiat.ts';

/** Goods, what merchants ask for, and the agent. */
export function commerceFeatures(
  kernel: Kernel,
  providers: Providers,
  parts: Pick<FiatParts, 'payouts' | 'cardMoney'> &
    Pick<BankingParts, 'messages'> & {
      readonly tools: ReturnType<typeof createTools>;
      readonly files: Files;
    },
): Feature[] {
  const given = { ...kernel, ...providers, ...parts };
  return [
    createPurchases(given),
    createInvoices({
      ...given,
      cards: parts.cardMoney.pulls,
      isGatewayReady: takesPayments(providers),
      isCardReady: providers.isConfigured('card-network'),
    }),
    createMarketplace(given),
    createAgent({ ...given, isModelConfigured: providers.isConfigured('llm') }),
    createMcpServer(given),
  ];
}
