export { type Api, type ApiOptions, bodyOf, createApi, type Schemas } from './api.ts';
export {
  type Change,
  type FollowDeps,
  type Following,
  type FollowOptions,
  followChanges,
  type StreamState,
  type StreamTimers,
} from './change-stream.ts';
export { ApiError, type ApiErrorCode } from './errors.ts';
export { type Page, pauseWhenHidden } from './pause-when-hidden.ts';
export {
  type ShareDeps,
  type SharedFollowing,
  type ShareOptions,
  shareChanges,
  type TabChannel,
} from './share-changes.ts';
