import type { Provider } from '../../provider.ts';
import type { ShopCatalogue } from '../port.ts';
import { etsyCatalogue } from './adapter.ts';

export const etsyProvider: Provider<'marketplace-1', ShopCatalogue> = {
  needs: { 'marketplace-1': ['MARKETPLACE_1_URL', 'MARKETPLACE_1_KEY'] },
  open: ({ kernel: { config }, at }) =>
    etsyCatalogue({
      url: at(config.MARKETPLACE_1_URL, '/marketplace-1'),
      key: config.MARKETPLACE_1_KEY,
    }),
};
