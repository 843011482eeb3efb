// Package shipped lists the algorithms that come with rocelab.
package shipped
