import { boolean, defineResource, links, text } from '../../../kernel/index.ts'

const KEYS = ['id', 'name', 'description', 'subscription_type']

/** The subjects of mails, which come with the program. Users choose among them in their preferences. */
export const mailNotifications = defineResource({
  name: 'mail_notification',
  summary:
    'A subject of mails that users can subscribe to. The service sends no mail; other programs can read the subscriptions.',
  fields: {
    name: text({ readOnly: true, required: true, search: 'free', doc: 'Name of the mail notification.' }),
    description: text({ readOnly: true, required: true, search: 'explicit', doc: 'Optional note.' }),
    subscription_type: text({
      readOnly: true,
      required: true,
      doc: '`report`, which comes at intervals, or `alert`, which comes when something happens.',
    }),
    queryable: boolean({ readOnly: true, initial: false, doc: 'Whether a search may say what it is about.' }),
    users: links('user', {
      through: 'user_mail_notifications',
      show: ['id', 'login'],
      readOnly: true,
      search: true,
      doc: 'Users who subscribed to it.',
    }),
  },
  operations: ['list', 'show'],
  label: 'name',
  views: { list: KEYS, show: KEYS },
})
