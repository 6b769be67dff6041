/** Whether browsers reach the service encrypted, which secure cookies need. */
export const isHttps = (url: string | undefined): boolean => url?.startsWith('https://') ?? false;
