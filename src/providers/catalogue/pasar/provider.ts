import type { Provider } from '../../provider.ts';
import type { ShopCatalogue } from '../port.ts';
import { pasarCatalogue } from './adapter.ts';

export const pasarProvider: Provider<'marketplace-2', ShopCatalogue> = {
  needs: { 'marketplace-2': ['MARKETPLACE_2_URL', 'MARKETPLACE_2_KEY'] },
  open: ({ kernel: { config }, at }) =>
    pasarCatalogue({
      url: at(config.MARKETPLACE_2_URL, '/marketplace-2'),
      key: config.MARKETPLACE_2_KEY,
    }),
};
