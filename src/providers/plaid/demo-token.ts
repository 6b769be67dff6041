/** The public token that the sandbox's bank always takes: the reference's examples use it. */
export const DEMO_PUBLIC_TOKEN = 'public-sandbox-demo';
