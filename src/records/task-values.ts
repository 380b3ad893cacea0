/** The values that fields of tasks may have. */
export const taskStatuses = ['todo', 'in_progress', 'blocked', 'done', 'cancelled'] as const
export type TaskStatus = (typeof taskStatuses)[number]
/** The most urgent first. */
export const taskPriorities = ['urgent', 'high', 'medium', 'low', 'none'] as const
export type TaskPriority = (typeof taskPriorities)[number]
export const inboxStatuses = ['unread', 'read', 'archived'] as const
export type InboxStatus = (typeof inboxStatuses)[number]
