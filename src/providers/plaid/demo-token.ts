/** The public token that the sandbox's bank always accepts: the reference's examples use it. */
export const DEMO_PUBLIC_TOKEN = 'public-sandbox-demo';
