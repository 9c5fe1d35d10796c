/** Name of the SDK's package. */
export const SDK_PACKAGE = '@anthropic-ai/claude-agent-sdk';

/** The version of the SDK that this package was measured with, and that it tells people to install. */
export const SDK_VERSION = '0.3.329';

/** The version of this package: what was found of a fence holds for it alone. */
export const OWN_VERSION = '0.1.0';
