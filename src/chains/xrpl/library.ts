/** The client library, loaded by the first who needs it: it costs 30 MB and a tenth of a second. */
export const library = (): Promise<typeof import('xrpl')> => import('xrpl');
