/** Where an app runs. */
export const DEVICE_PLATFORMS = ['ios', 'android', 'web'] as const;
