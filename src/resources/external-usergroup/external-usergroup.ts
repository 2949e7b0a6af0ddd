import { z } from 'zod'
import type { Context } from '../../context.ts'
import { link, text } from '../../kernel/fields/index.ts'
import { type Action, defineResource } from '../../kernel/resource.ts'
import { refuseAdminGroup, refuseEscalationByGroup } from '../role/escalation.ts'
import { changeLink, createLink, deleteLink, refreshLink } from './membership.ts'

const KEYS = ['id', 'name', 'auth_source']
const attributes = z.object({
  name: z.string().optional().meta({ description: 'Name of the group in the source.' }),
  auth_source_id: z.int().optional().meta({ description: 'The source.' }),
  usergroup_id: z.int().optional().meta({ description: 'The user group here.' }),
})
const body = z.object({
  external_usergroup: attributes.meta({
    description: 'A group of an authentication source that stands for a user group.',
  }),
})

const create: Action = {
  method: 'POST',
  path: '',
  name: 'create',
  summary: 'Let a group of a source stand for a user group',
  permissions: ['create_external_usergroups'],
  body,
  status: 201,
  handle: createLink,
}

const update: Action = {
  method: 'PUT',
  path: '/:id',
  name: 'update',
  summary: 'Change which group stands for a user group',
  body,
  handle: changeLink,
}

const remove: Action = {
  method: 'DELETE',
  path: '/:id',
  name: 'delete',
  summary: 'Delete one external usergroup',
  permissions: ['destroy_external_usergroups'],
  output: z
    .object({
      id: z.int().meta({ description: 'Id of the link.' }),
      name: z.string().meta({ description: 'Name of the group in the source.' }),
      auth_source_id: z.int().meta({ description: 'The source.' }),
      usergroup_id: z.int().meta({ description: 'The user group here.' }),
    })
    .meta({ title: 'ExternalUsergroupDeleted', description: 'What the link was.' }),
  handle: deleteLink,
}

const refresh: Action = {
  method: 'PUT',
  path: '/:id/refresh',
  name: 'refresh',
  summary: 'Read the members of the group from the directory now',
  handle: refreshLink,
}

/** Core-api §6.5 and §6.6: members of a group there are members of a group here. */
export const externalUsergroups = defineResource({
  name: 'external_usergroup',
  summary: 'A group of an authentication source that stands for a user group.',
  fields: {
    name: text({ required: true, doc: 'Name of the group in the source, unique there.' }),
    auth_source: link('auth_source', {
      required: true,
      onDelete: 'cascade',
      show: ['id', 'type', 'name'],
      doc: 'The source.',
    }),
    usergroup: link('usergroup', { required: true, onDelete: 'cascade', doc: 'The user group here.' }),
  },
  operations: ['list', 'show'],
  order: 'id',
  called: (stored) => String(stored.name),
  views: { list: KEYS, show: KEYS, deleted: ['id', 'name', 'auth_source_id', 'usergroup_id'] },
  parents: { usergroup: 'usergroup', auth_source_ldap: 'auth_source', auth_source_external: 'auth_source' },
  nestedOnly: true,
  audited: false,
  around: {
    async create(ctx, draft, next) {
      await refuseAsMemberOf(ctx, Number(draft.usergroup))
      return next(draft)
    },
    async update(ctx, stored, draft, next) {
      await refuseAdminGroup(ctx, Number(stored.usergroup_id))
      await refuseAsMemberOf(ctx, Number(draft.usergroup ?? stored.usergroup_id))
      await next(draft)
    },
    async delete(ctx, stored, next) {
      await refuseAdminGroup(ctx, Number(stored.usergroup_id))
      await next()
    },
  },
  actions: [create, update, remove, refresh],
})

/** Whoever decides which group there stands for a user group decides who its members are. {@throws Failure} invalid */
async function refuseAsMemberOf(ctx: Context, usergroup: number): Promise<void> {
  await refuseAdminGroup(ctx, usergroup)
  await refuseEscalationByGroup(ctx, usergroup)
}
