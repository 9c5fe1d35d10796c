/** The npm package of the SDK. */
export const SDK_PACKAGE = '@anthropic-ai/claude-agent-sdk';

/** The tested SDK version, which messages recommend to install. */
export const SDK_VERSION = '0.3.329';

/** The version of this package. A cached self-test result is valid only for this version. */
export const OWN_VERSION = '0.1.0';
