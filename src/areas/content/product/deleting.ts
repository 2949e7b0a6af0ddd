/** The kind of tasks that delete a product with its repositories and subscriptions. */
export const DELETING = 'product.delete'
