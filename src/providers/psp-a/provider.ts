import type { Provider } from '../provider.ts';
import { pspA } from './adapter.ts';
import type { PspA } from './port.ts';

export const pspAProvider: Provider<'psp-a', PspA> = {
  needs: { 'psp-a': ['PSP_A_URL', 'PSP_A_KEY'] },
  open: ({ kernel: { config }, at }) =>
    pspA({ url: at(config.PSP_A_URL, '/psp-a'), key: config.PSP_A_KEY }),
};
